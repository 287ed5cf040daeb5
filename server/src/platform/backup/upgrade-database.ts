import { cp, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { DatabaseAddress } from '../db/database.ts'
import { hasSchema } from '../db/migrate.ts'
import { removeDrafts } from './write-folder.ts'
import { startEmbeddedPostgres, type EmbeddedOptions, type EmbeddedPostgres } from '../postgres/embedded.ts'
import { findOlderDatabase, findOlderPrograms, replaceDatabase } from '../postgres/older-database.ts'
import { claimDataDir } from '../postgres/ownership.ts'
import { BackupError, type Manifest } from './manifest.ts'
import { restoreBackup } from './restore-backup.ts'
import { writeBackup } from './write-backup.ts'

export interface UpgradeRequest {
  readonly dataDir: string
  /** The folder of the old programs, if they are in no usual place. */
  readonly programs?: string
  readonly say: (line: string) => void
}

export interface Upgraded {
  readonly from: string
  readonly to: string
  readonly rows: number
  /** The folder of the old database. */
  readonly kept: string
}

/**
 * Copies the database of an older PostgreSQL into one of ours, which then takes its place. The old folder stays as it
 * is until the new one is whole. It is claimed all the while, so that no server writes there what would be lost.
 */
export async function upgradeDatabase({ dataDir: wanted, programs, say }: UpgradeRequest): Promise<Upgraded> {
  const older = await findOlderDatabase(wanted)
  const binaries = findOlderPrograms(older.from, programs)
  const { dataDir, account, from, to } = older
  const release = await claimDataDir(dataDir)
  const fresh = `${dataDir}.upgrading`
  const backup = `${dataDir}.upgrade-backup`
  const left = [fresh, backup, `${fresh}.password`]
  const clear = async () => {
    await Promise.all(left.map((name) => rm(name, { recursive: true, force: true })))
    await removeDrafts(dirname(backup), (name) => name === basename(backup), 0)
  }
  try {
    await clear()
    say(`Backing up with PostgreSQL ${binaries.version}`)
    // Documents stay where they are: a folder that does not exist has none.
    const documents = join(backup, 'no-documents')
    const manifest = await withServer({ dataDir, account, binaries, isClaimed: true }, async (address) => {
      if (!(await hasSchema(address)))
        throw new BackupError(
          `The database in ${dataDir} is empty. Move that folder away, and start the server with a new one.`,
        )
      return writeBackup(address, { folder: backup, documents })
    })
    // Where a password opens the database, it stays the same.
    await cp(`${dataDir}.password`, `${fresh}.password`).catch(() => undefined)
    await withServer({ dataDir: fresh, account }, async (address) =>
      restoreBackup(address, { folder: backup, documents, isInPlace: true, upkeep: undefined, say }),
    )
    const kept = await replaceDatabase(older, fresh)
    return { from, to, rows: rowsOf(manifest), kept }
  } finally {
    await clear()
    release()
  }
}

async function withServer<T>(
  options: Omit<EmbeddedOptions, 'log'>,
  work: (address: DatabaseAddress) => Promise<T>,
): Promise<T> {
  const server = await startEmbeddedPostgres({ ...options, log: () => undefined })
  try {
    return await work(addressOf(server))
  } finally {
    await server.stop()
  }
}

function addressOf({ host, port, user, password }: EmbeddedPostgres): DatabaseAddress {
  return { host, port, user, database: 'postgres', ...(password === undefined ? {} : { password }) }
}

function rowsOf({ tables }: Manifest): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0)
}
