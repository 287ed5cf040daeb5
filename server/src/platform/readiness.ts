import pg from 'pg'
import type { Logger } from 'pino'
import type { Clock } from './clock/clock.ts'
import { poolOptions, type DatabaseAddress } from './db/database.ts'
import { isDatabaseAway, ofDatabase, sqlState } from './db/database-errors.ts'
import type { FileStore } from './files/file-store.ts'

/** Part of the server to one sentence with the reason, without addresses, paths or names. */
type Failures = Readonly<Partial<Record<'database' | 'files', string>>>

export interface Readiness {
  /** Why this process cannot save; empty when it can. Answers in less than two seconds. */
  failures(): Promise<Failures>
  close(): Promise<void>
}

const answerWithinMs = 1_500
/** Load balancers ask often, and several of them. */
const goodForMs = 1_000
const tooLate = new Error('There was no answer in time.')

export interface ReadinessDeps {
  readonly clock: Clock
  readonly database: DatabaseAddress
  readonly files: FileStore
  readonly log: Logger
}

export function createReadiness({ clock, database, files, log }: ReadinessDeps): Readiness {
  const pool = openPool(database)
  const parts = {
    database: createProbe({ clock, work: () => probeDatabase(pool), sentenceOf: databaseSentence }),
    ...(files.probe && { files: createProbe({ clock, work: files.probe, sentenceOf: filesSentence }) }),
  }
  let told = ''
  return {
    async failures() {
      const looks = Object.entries(parts).map(async ([part, look]) => [part, await look()] as const)
      const failures: Failures = Object.fromEntries(
        (await Promise.all(looks)).filter(([, sentence]) => sentence !== undefined),
      )
      const now = JSON.stringify(failures)
      if (now !== told && now !== '{}') log.warn({ failures }, 'this process is not ready')
      else if (now !== told && told !== '') log.info('this process is ready again')
      told = now
      return failures
    },
    close: () => pool.end(),
  }
}

/** A dedicated connection: all others may be busy, and that is no reason to send requests elsewhere. */
function openPool(database: DatabaseAddress): pg.Pool {
  const { options, ...rest } = poolOptions(database, 'cellarhand_system')
  const pool = new pg.Pool({
    ...rest,
    options: `${options} -c work_mem=64kB`,
    pipeline: false,
    max: 1,
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: answerWithinMs,
    query_timeout: answerWithinMs,
  } as pg.PoolConfig)
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', ofDatabase))
  return pool
}

class ReadOnly extends Error {}

/**
 * These rows do not fit into work_mem, so PostgreSQL writes them into a file and deletes it at once. On a full disk
 * that fails, while a changed row may still fit into a page. Neither the tables nor the log grow.
 */
const writeSomething = `select current_setting('transaction_read_only') = 'on' as "isReadOnly"
  from generate_series(1, 5000) offset 4999`

async function probeDatabase(pool: pg.Pool): Promise<void> {
  const ask = () => pool.query<{ isReadOnly: boolean }>(writeSomething)
  // A connection that broke while idle says nothing about the database's present state.
  const { rows } = await ask().catch((error: unknown) => {
    if (isDatabaseAway(error)) return ask()
    throw error
  })
  if (rows[0]?.isReadOnly === true) throw new ReadOnly()
}

function databaseSentence(error: unknown): string {
  if (error instanceof ReadOnly) return 'The database is read-only.'
  const state = sqlState(error)
  if (state === '53100') return 'The disk of the database is full.'
  if (state === '53300') return 'The database has no connection left.'
  if (isDatabaseAway(error)) return 'The database cannot be reached.'
  return state === undefined ? 'The database does not answer.' : `The database cannot write (${state}).`
}

function filesSentence(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === '') return 'The disk for files does not answer.'
  if (['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code)) return 'The disk for files is full.'
  return code === 'EROFS'
    ? 'The disk for files is read-only.'
    : `The disk for files cannot be written (${code}).`
}

interface Probe {
  readonly clock: Clock
  readonly work: () => Promise<void>
  readonly sentenceOf: (error: unknown) => string
}

/**
 * Looks at most once a second and never twice at a time, for any number of callers. A look that takes too long counts
 * as a failure for all callers until it ends.
 */
export function createProbe({ clock, work, sentenceOf }: Probe): () => Promise<string | undefined> {
  let last: string | undefined
  let endedAtMs = -Infinity
  let running: { readonly result: Promise<string | undefined>; readonly startedAtMs: number } | undefined

  async function run(): Promise<string | undefined> {
    last = await work().then(() => undefined, sentenceOf)
    endedAtMs = clock.readingMs()
    running = undefined
    return last
  }
  return async () => {
    const nowMs = clock.readingMs()
    if (running === undefined && nowMs - endedAtMs < goodForMs) return last
    running ??= { startedAtMs: nowMs, result: run() }
    const leftMs = running.startedAtMs + answerWithinMs - nowMs
    if (leftMs <= 0) return sentenceOf(tooLate)
    const late = Promise.withResolvers<string>()
    clock.after(leftMs, () => late.resolve(sentenceOf(tooLate)))
    return Promise.race([running.result, late.promise])
  }
}
