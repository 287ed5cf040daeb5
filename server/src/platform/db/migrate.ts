import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import pg from 'pg'
import { poolOptions, type DatabaseAddress } from './database.ts'

const folder = new URL('../../../migrations/', import.meta.url)

async function readMigrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(fileURLToPath(folder))).filter((file) => file.endsWith('.sql')).toSorted()
  const entries = files.map(async (file): Promise<[string, Migration]> => {
    const text = await readFile(new URL(file, folder), 'utf8')
    return [
      file.replace('.sql', ''),
      { up: async (db: Kysely<unknown>) => void (await sql.raw(text).execute(db)) },
    ]
  })
  return Object.fromEntries(await Promise.all(entries))
}

/** The names of all migrations, in order. */
export async function listMigrations(): Promise<string[]> {
  return Object.keys(await readMigrations())
}

/**
 * Brings the schema up to date, or no further than the named migration; of several processes that start at once, one
 * does it and the others wait.
 */
export async function migrate(address: DatabaseAddress, upTo?: string): Promise<string[]> {
  const pool = new pg.Pool({
    ...poolOptions(address, undefined),
    pipeline: false,
    max: 2,
    statement_timeout: 600_000,
    query_timeout: 610_000,
  } as pg.PoolConfig)
  // The statement that a lost connection interrupts fails by itself; unheard, the loss would end the process first.
  pool.on('connect', (client) => client.on('error', () => undefined))
  pool.on('error', () => undefined)
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    const migrator = new Migrator({ db, provider: { getMigrations: readMigrations } })
    const { error, results } = await (upTo === undefined
      ? migrator.migrateToLatest()
      : migrator.migrateTo(upTo))
    if (error !== undefined) {
      const failed = results?.find((result) => result.status === 'Error')
      throw new Error(`The migration ${failed?.migrationName ?? ''} failed; nothing was changed.`, {
        cause: error,
      })
    }
    return (results ?? []).map((result) => result.migrationName)
  } finally {
    await db.destroy()
  }
}
