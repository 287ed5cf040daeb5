import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, vi } from 'vitest'
import { cloneDatabase, type ClonedDatabase } from '../database/cloned-database.ts'
import { urlOf } from '../database/database-url.ts'
import { letTimeTurn } from '../database/turned-time.ts'
import { deskCalls, type DeskCalls } from '../desk.ts'
import { patienceMs } from '../eventually.ts'

/** A desk with its server in a process of its own, which a test can kill at any moment and start again. */
export interface KillableDesk extends DeskCalls {
  /** Without a signal to react to, as in a power cut. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Turns the database's time forward, by which a dead process loses its work. */
  turn(ms: number): Promise<void>
  /** Sends the server a signal; returns its exit code, or null while it runs. */
  signal(name: NodeJS.Signals): number | null
  stop(): Promise<void>
}

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

export async function openKillableDesk(environment: Record<string, string>): Promise<KillableDesk> {
  const database = await cloneDatabase()
  // The project's own folder is every such server's, and the upkeep of one would remove the files of another.
  const dataDir = await mkdtemp(join(tmpdir(), 'killable-'))
  const { turn } = await letTimeTurn(database)
  await keepDemoAway(database)
  // All of them, because one that a test stopped waiting for may start later.
  const children: ChildProcess[] = []
  let url = ''
  const start = async () => {
    const child = spawn(process.execPath, [main], {
      env: {
        ...process.env,
        DEMO: '1',
        PORT: '0',
        LOG_LEVEL: 'silent',
        DATABASE_URL: urlOf(database.address),
        DATA_DIR: dataDir,
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    children.push(child)
    let out = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
    const ready = /ready at (http:\S+)/
    await vi.waitFor(() => expect(out).toMatch(ready), { timeout: patienceMs, interval: 50 })
    url = ready.exec(out)?.[1] ?? ''
  }
  const kill = async () => {
    for (const child of children.splice(0)) await end(child)
  }
  await start()
  return {
    ...deskCalls(database.owner, () => url),
    kill,
    start,
    turn,
    signal(name) {
      const [child] = children
      child?.kill(name)
      return child?.exitCode ?? null
    },
    async stop() {
      await kill()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** The server makes the demo only in a database without merchants. */
async function keepDemoAway({ owner }: ClonedDatabase): Promise<void> {
  await owner.query(
    `insert into merchants (merchant_id, name, email, primary_phone, address, contacts, timezone, merchant_account_id, payment_set_up)
     values ('nobody', 'Nobody', 'nobody@example.com', '', '{}', '{}', 'America/New_York', null, false)`,
  )
}
