import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import pg from 'pg'
import { systemClock } from '../clock/system-clock.ts'
import { poolOptions, type DatabaseAddress } from './database.ts'
import { sqlState } from './database-errors.ts'
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

/** Kysely's own lock, so that servers of every release take the same one. A session may take it twice. */
export const migrationLock = '3853314791062309107'

/** A statement that waits for a lock blocks all later ones, so the shop stops for as long. */
const lockWaitMs = 2_000
const longestPauseMs = 10_000
/** Longer than the reads of a backup. */
const patienceMs = 3_600_000
/** PostgreSQL's codes for a lock not obtained in time and for a deadlock. */
const inTheWay = new Set(['55P03', '40P01'])

/**
 * Brings the schema up to date. When several processes start at once, one does it and the others wait. Refuses a
 * database during a restore: the schema alone would turn it into an empty shop.
 */
export async function migrate(
  address: DatabaseAddress,
  say: (line: string) => void = () => undefined,
): Promise<string[]> {
  const client = migrationClient(address)
  await client.connect()
  try {
    await patiently(() => client.query(`select pg_advisory_lock(${migrationLock})`), say)
    // A restore takes the same lock to set its mark, so none can begin between this check and the tables.
    await refuseHalfRestored(client)
    const db = kyselyOn(client)
    const done: string[] = []
    for (const step of await patiently(() => pendingSteps(db), say))
      done.push(...(await patiently(() => runMigrations(db, step), say)))
    await nameBrokenIndexes(client, say)
    return done
  } finally {
    await client.end().catch(() => undefined)
  }
}

/**
 * An interrupted `create index concurrently` leaves an index that slows each change and helps no query, and a migration
 * that builds the same index only if there is none takes it for a good one. PostgreSQL's manual says of the two
 * leftovers of an interrupted `reindex` that they are dropped. While any index of the table is built, none is named.
 */
async function nameBrokenIndexes(client: pg.Client, say: (line: string) => void): Promise<void> {
  const { rows } = await client
    .query<{ name: string; is_leftover: boolean }>(
      `select i.indexrelid::regclass::text as name, not i.indislive or c.relname ~ '_cc(new|old)[0-9]*$' as is_leftover
       from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
       where not i.indisvalid and c.relkind = 'i' and n.nspname = current_schema()
         and not exists (select from pg_stat_progress_create_index p
           where p.datname = current_database() and (p.relid is null or p.relid = i.indrelid))
       order by 1`,
    )
    // A shop starts without this notice too.
    .catch(() => ({ rows: [] }))
  for (const { name, is_leftover: isLeftover } of rows)
    say(
      isLeftover
        ? `The index ${name} is a leftover that nothing uses. Remove it with: drop index concurrently ${name}`
        : `The index ${name} was not finished, so nothing uses it. Finish it with: reindex index concurrently ${name}`,
    )
}

/** Whether a server has ever set this database up. Refuses a database during a restore, which has no schema yet. */
export async function hasSchema(address: DatabaseAddress): Promise<boolean> {
  const client = migrationClient(address)
  await client.connect()
  try {
    await refuseHalfRestored(client)
    const { rows } = await client.query<{ there: boolean }>(
      "select to_regclass('kysely_migration') is not null as there",
    )
    return rows[0]?.there === true
  } finally {
    await client.end().catch(() => undefined)
  }
}

function migrationClient(address: DatabaseAddress): pg.Client {
  const { options, ...rest } = poolOptions(address, undefined, { statementMs: 600_000, idleMs: 30_000 })
  const client = new pg.Client({
    ...rest,
    options: `${options} -c lock_timeout=${lockWaitMs}`,
    pipeline: false,
  } as pg.ClientConfig)
  // After a lost connection its statement fails by itself. Without a listener, the error event would end the process.
  client.on('error', () => undefined)
  return client
}

/**
 * On a schema in use, each file is one transaction, so that none keeps its locks while it waits for those of the next.
 * An empty database gets all or nothing.
 */
async function pendingSteps(db: Kysely<unknown>): Promise<(string | undefined)[]> {
  const all = await migratorOf(db).getMigrations()
  const pending = all.filter(({ executedAt }) => executedAt === undefined)
  return pending.length === 0 || pending.length === all.length ? [undefined] : pending.map(({ name }) => name)
}

/** Lets the shop work between two tries. A backup or a long transaction may cause many tries. */
async function patiently<T>(work: () => Promise<T>, say: (line: string) => void): Promise<T> {
  const until = systemClock.readingMs() + patienceMs
  for (let pauseMs = 1_000; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    try {
      return await work()
    } catch (error) {
      if (!inTheWay.has(causingState(error) ?? '') || systemClock.readingMs() > until) throw error
      if (pauseMs === 2_000)
        say(
          'The database is in use by another start, a backup or a long transaction. The start waits for it.',
        )
    }
    await systemClock.sleep(pauseMs)
  }
}

function causingState(error: unknown): string | undefined {
  return error instanceof Error ? (sqlState(error) ?? causingState(error.cause)) : undefined
}

/** A transaction on the caller's connection, in which other work can migrate the schema. */
export interface MigratedTransaction {
  /** Migrates to the named migration, or to the newest. */
  migrate(upTo?: string): Promise<string[]>
  commit(): Promise<void>
}

export async function beginMigrated(client: pg.Client): Promise<MigratedTransaction> {
  const transaction = await kyselyOn(client).startTransaction().execute()
  return {
    migrate: (upTo) => runMigrations(transaction, upTo),
    commit: () => transaction.commit().execute(),
  }
}

function kyselyOn(client: pg.Client): Kysely<unknown> {
  const onlyOne = Object.assign(client, { release: () => undefined })
  const pool = { connect: async () => onlyOne, end: async () => undefined }
  return new Kysely<unknown>({ dialect: new PostgresDialect({ pool: pool as unknown as pg.Pool }) })
}

function migratorOf(db: Kysely<unknown>): Migrator {
  const getMigrations = async () => {
    const own = await readMigrations()
    return { ...own, ...(await laterMigrations(db, Object.keys(own).at(-1) ?? '')) }
  }
  return new Migrator({ db, provider: { getMigrations } })
}

/**
 * What a newer release has added to this database, which the way back to this release leaves in place. Kysely would
 * refuse a database with a migration that it cannot read.
 */
async function laterMigrations(db: Kysely<unknown>, newest: string): Promise<Record<string, Migration>> {
  const there = await sql<{
    there: boolean
  }>`select to_regclass('kysely_migration') is not null as there`.execute(db)
  if (there.rows[0]?.there !== true) return {}
  const done = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  const up = () => Promise.reject(new Error('This migration belongs to a newer release.'))
  return Object.fromEntries(done.rows.filter(({ name }) => name > newest).map(({ name }) => [name, { up }]))
}

async function runMigrations(db: Kysely<unknown>, upTo?: string): Promise<string[]> {
  const migrator = migratorOf(db)
  const { error, results } = await (upTo === undefined
    ? migrator.migrateToLatest()
    : migrator.migrateTo(upTo))
  if (error !== undefined) {
    const failed = results?.find((result) => result.status === 'Error')
    throw new Error(`The migration ${failed?.migrationName ?? ''} failed; it changed nothing.`, {
      cause: error,
    })
  }
  return (results ?? []).map((result) => result.migrationName)
}
