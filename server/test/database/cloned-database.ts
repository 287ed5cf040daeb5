import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { type DatabaseAddress } from '../../src/platform/db/database.ts'
import { patientOptions } from './patient-options.ts'

export const templateName = 'cellarhand_template'

export interface ClonedDatabase {
  readonly address: DatabaseAddress
  /** The owner's own connection, past row-level security, to read the stored rows. */
  readonly owner: pg.Pool
  /** For the files of the servers on this database; they make it once they need it. */
  readonly dataDir: string
  drop(): Promise<void>
}

/** A migrated database for one test file, copied in a moment. */
export async function cloneDatabase(): Promise<ClonedDatabase> {
  const server = inject('databaseServer')
  const database = `test_${randomBytes(6).toString('hex')}`
  const admin = new pg.Pool({ ...patientOptions({ ...server, database: 'postgres' }), max: 1 })
  await createFromTemplate(admin, database)
  const address = { ...server, database }
  const owner = new pg.Pool({ ...patientOptions(address), max: 3 })
  owner.on('error', () => undefined)
  // A folder for all would lose its files to a test that turns its time past their end.
  const dataDir = join(tmpdir(), `cellarhand-${database}`)
  return {
    address,
    owner,
    dataDir,
    async drop() {
      await owner.end()
      await rm(dataDir, { recursive: true, force: true })
      await admin.query(`drop database if exists ${database} with (force)`)
      await admin.end()
    },
  }
}

/** PostgreSQL lets only one session copy the template at a time, and two files may start at once. */
async function createFromTemplate(admin: pg.Pool, database: string): Promise<void> {
  const client = await admin.connect()
  try {
    await client.query("select pg_advisory_lock(hashtext('cellarhand_template'))")
    await client.query(`create database ${database} template ${templateName}`)
    await client.query("select pg_advisory_unlock(hashtext('cellarhand_template'))")
  } finally {
    client.release()
  }
}
