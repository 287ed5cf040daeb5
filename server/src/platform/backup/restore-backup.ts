import { resolve } from 'node:path'
import type pg from 'pg'
import type { DatabaseAddress } from '../db/database.ts'
import { withPatientClient } from '../db/patient-client.ts'
import { sqlState } from '../db/database-errors.ts'
import { listMigrations, migrationLock } from '../db/migrate.ts'
import { findRestoreMark, restoreMark } from '../db/restore-mark.ts'
import type { Upkeep } from '../upkeep/upkeep.ts'
import { fillDatabase } from './fill-database.ts'
import { createFresh, requireReplaceable } from './fresh-database.ts'
import { BackupError, readBackup, type Manifest } from './manifest.ts'
import { createProgress, type Progress } from './progress.ts'
import {
  requireNoDocuments,
  requireOwnDocuments,
  restoreDocuments,
  type RestoredDocuments,
} from './restore-documents.ts'
import { listTables } from './write-backup.ts'

export interface RestoreRequest {
  readonly folder: string
  /** The folder for documents on disk. */
  readonly documents: string
  /** Fills the database itself, for a login that may not create another one. */
  readonly isInPlace?: boolean
  /** What each slice does after the world went on without the shop; undefined where it did not. */
  readonly upkeep: readonly Upkeep[] | undefined
  readonly say?: (line: string) => void
}

/**
 * Fills an empty database, all or nothing: it fills a copy, which takes the database's place when it is complete. Until
 * then the database carries a mark. No server starts on a marked database, and another restore may begin again.
 */
export async function restoreBackup(address: DatabaseAddress, request: RestoreRequest): Promise<Manifest> {
  const { folder, say = () => undefined } = request
  say('Checking the backup')
  const manifest = await readBackup(folder)
  await requireKnownSchema(manifest)
  if (request.isInPlace !== true) await requireReplaceable(address)
  const documents = resolve(request.documents)
  await withPatientClient(address, undefined, (client) => mark(client, { folder, documents, manifest }))
  const progress = await createProgress(folder, manifest, say)
  const work = { ...request, manifest, documents, progress }
  try {
    await (request.isInPlace === true ? restoreInPlace(address, work) : restoreBeside(address, work))
  } catch (error) {
    if (error instanceof BackupError) throw error
    throw new BackupError(
      `The restore failed: ${error instanceof Error ? error.message : String(error)}. ` +
        'The database holds nothing of it, and no server starts on it. When the cause is out of the way, run the same command again.',
      { cause: error },
    )
  }
  return manifest
}

interface Work extends RestoredDocuments {
  readonly progress: Progress
  readonly upkeep: readonly Upkeep[] | undefined
}

async function restoreBeside(address: DatabaseAddress, work: Work): Promise<void> {
  const fresh = await createFresh(address)
  try {
    await withPatientClient(fresh.address, undefined, async (client) => {
      const commit = await fillDatabase(client, work)
      await commit()
    })
    await copyDocuments(work)
    await fresh.takePlace()
  } finally {
    await fresh.close()
  }
}

async function restoreInPlace(address: DatabaseAddress, work: Work): Promise<void> {
  await withPatientClient(address, undefined, async (client) => {
    const { rows } = await client.query<{ held: boolean }>(
      `select pg_try_advisory_lock(hashtext('cellarhand_restore')) as held`,
    )
    if (rows[0]?.held !== true)
      throw new BackupError('Another restore into this database is under way. Please wait for its end.')
    const commit = await fillDatabase(client, work)
    await copyDocuments(work)
    await commit()
  })
}

async function requireKnownSchema({ migrations }: Manifest): Promise<void> {
  const known = await listMigrations()
  const isKnown = migrations.every((name, place) => known[place] === name)
  if (!isKnown)
    throw new BackupError(
      `The backup was made by another version of Cellarhand (its schema ends at ${migrations.at(-1) ?? 'nothing'}). Please restore it with that version, and upgrade afterwards.`,
    )
}

const lockTimeout = '55P03'

/** Accepts an empty database, or one that a restore left. */
async function mark(client: pg.Client, restored: RestoredDocuments): Promise<void> {
  const earlier = await findRestoreMark(client)
  await client.query('begin')
  await keepServersOut(client)
  if ((await listTables(client)).length > 0)
    throw new BackupError(
      'The database is not empty. Please name a new one in DATABASE_URL and another DATA_DIR (for the embedded database another DATA_DIR alone).',
    )
  const { documents } = restored
  await (earlier?.documents === documents ? requireOwnDocuments(restored) : requireNoDocuments(documents))
  await client.query(
    `drop table if exists ${restoreMark};
     create table ${restoreMark} (begun_at timestamptz not null default now(), documents text not null);
     grant select on ${restoreMark} to public`,
  )
  await client.query(`insert into ${restoreMark} (documents) values ($1)`, [documents])
  await client.query('commit')
}

/** Until the transaction ends. A server that starts meanwhile has its tables by then, or finds the mark. */
async function keepServersOut(client: pg.Client): Promise<void> {
  await client.query(`set local lock_timeout = '10s'`)
  try {
    await client.query(`select pg_advisory_xact_lock(${migrationLock})`)
  } catch (error) {
    if (sqlState(error) !== lockTimeout) throw error
    throw new BackupError(
      'A server is just starting on this database. Please stop it, and run the command again.',
      { cause: error },
    )
  }
}

async function copyDocuments({ progress, ...restored }: Work): Promise<void> {
  progress.begin('Copying the documents')
  await restoreDocuments(restored)
}
