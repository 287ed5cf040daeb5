import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import pg from 'pg'
import { poolOptions, type DatabaseAddress } from './database.ts'
import { refuseHalfRestored } from './restore-mark.ts'

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
 * Brings the schema up to date; of several processes that start at once, one does it and the others wait. A database that
 * is being restored is refused: the schema alone would make an empty shop of it.
 */
export async function migrate(address: DatabaseAddress): Promise<string[]> {
  const pool = new pg.Pool({
    ...poolOptions(address, undefined, { statementMs: 600_000, idleMs: 30_000 }),
    pipeline: false,
    max: 2,
  } as pg.PoolConfig)
  // The statement that a lost connection interrupts fails by itself; unheard, the loss would end the process first.
  pool.on('connect', (client) => client.on('error', () => undefined))
  pool.on('error', () => undefined)
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    await refuseHalfRestored(pool)
    return await runMigrations(db)
  } finally {
    await db.destroy()
  }
}

/** A transaction on a connection of the caller's, in which the schema is brought from one state to another between other work. */
export interface MigratedTransaction {
  /** To the named migration, or up to date. */
  migrate(upTo?: string): Promise<string[]>
  commit(): Promise<void>
}

export async function beginMigrated(client: pg.Client): Promise<MigratedTransaction> {
  const onlyOne = Object.assign(client, { release: () => undefined })
  const pool = { connect: async () => onlyOne, end: async () => undefined }
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: pool as unknown as pg.Pool }) })
  const transaction = await db.startTransaction().execute()
  return {
    migrate: (upTo) => runMigrations(transaction, upTo),
    commit: () => transaction.commit().execute(),
  }
}

async function runMigrations(db: Kysely<unknown>, upTo?: string): Promise<string[]> {
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
}
