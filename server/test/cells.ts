import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { at } from './database/restore-room.ts'
import { urlOf } from './database/database-url.ts'
import { openDesk, type Desk } from './desk.ts'
import { runHere, type Ended } from './processes/run-command.ts'

/** One complete installation: its own database, keys and files. */
interface Cell {
  readonly desk: Desk
  readonly sealingKey: string
  readonly databaseUrl: string
  /** `npm run admin -- <args>` with the cell's environment. */
  admin(...args: string[]): Promise<Ended>
}

export interface TwoCells {
  readonly old: Cell
  readonly other: Cell
  readonly folder: string
  /** The key of the transfer, in a file that both cells can read. */
  readonly keyFile: string
  stop(): Promise<void>
}

async function openCell(folder: string, name: string): Promise<Cell> {
  const sealingKey = `the-sealing-key-of-the-cell-${name}-which-is-long`
  const env = {
    SEALING_KEY: sealingKey,
    SESSION_SECRET: `the-session-secret-of-the-cell-${name}-which-is-long`,
    DATA_DIR: join(folder, name),
    DEMO: '1',
  }
  const desk = await openDesk(env)
  const { rows } = await desk.owner.query<{ name: string }>('select current_database() as name')
  const url = urlOf(at(rows[0]?.name ?? ''))
  return {
    desk,
    sealingKey,
    databaseUrl: url,
    admin: (...args) => runHere(args, { env: { ...env, DATABASE_URL: url } }),
  }
}

export async function openTwoCells(): Promise<TwoCells> {
  const folder = await mkdtemp(join(tmpdir(), 'cellarhand-cells-'))
  const [old, other] = await Promise.all([openCell(folder, 'one'), openCell(folder, 'two')])
  const keyFile = join(folder, 'transfer.key')
  await writeFile(keyFile, 'a-key-that-both-cells-have-for-the-time-of-a-move\n')
  await other.admin('number-orders', '--from', '2000000000')
  return {
    old,
    other,
    folder,
    keyFile,
    async stop() {
      await Promise.all([old.desk.stop(), other.desk.stop()])
      await rm(folder, { recursive: true })
    },
  }
}
