import { createHash } from 'node:crypto'
import { Socket } from 'node:net'
import pg from 'pg'
import type { Clock } from '../clock/clock.ts'
import { askerNow, ownWork } from '../turns/asker.ts'
import type { Pace } from '../turns/pace.ts'
import { createConnectionTurns } from './connection-turns.ts'
import { endStatementWhenSilent } from './given-up.ts'
import { ofDatabase, ofItself, readOnly, sqlState } from './database-errors.ts'
import { primaryOnly } from './primary-only.ts'

export interface DatabaseAddress {
  /** A connection string, or the socket directory (or host) of the embedded database. */
  readonly url?: string
  readonly host?: string
  readonly port?: number
  readonly user?: string
  readonly password?: string
  readonly database?: string
}

type Row = Record<string, unknown>

/** Runs statements of one transaction. Statements started together travel together (pipelining). */
export interface Statements {
  readonly clock: Clock
  /** Prepared once per connection; `values` are bound, never written into the text. */
  query<T = Row>(text: string, values?: readonly unknown[]): Promise<T[]>
}

export interface Database {
  /** Handed on with the rows, because a row's times are compared with it. */
  readonly clock: Clock
  /** Of the merchants that ask it, for other work that a crowd must not keep busy. */
  readonly pace: Pace
  /** A read-only transaction as one merchant: row-level security hides every other merchant's rows. */
  read<T>(merchantId: string, look: (statements: Statements) => Promise<T>): Promise<T>
  /**
   * A read that only shows: nothing is decided or acknowledged by it. Like `glance` and `longLook`, a standby may answer
   * it, as newly as the primary would. After a failure there, the look runs again on the primary.
   */
  view<T>(merchantId: string, look: (statements: Statements) => Promise<T>): Promise<T>
  /**
   * A read of one statement in one message. `body` joins laterally to a `scope` that has become the merchant
   * (`from scope cross join lateral (…)`), so that no row is read before that. $1 is the merchant.
   */
  glance<T = Row>(merchantId: string, body: string, values?: readonly unknown[]): Promise<T[]>
  /** A glance that keeps a processor busy for a while. */
  longLook<T = Row>(merchantId: string, body: string, values?: readonly unknown[]): Promise<T[]>
  /** One transaction as one merchant, tried again when it lost a race for the same rows. */
  write<T>(merchantId: string, change: (statements: Statements) => Promise<T>): Promise<T>
  /** One transaction for work that belongs to no merchant: sign-in, publishing, clean-up. */
  system<T>(work: (statements: Statements) => Promise<T>): Promise<T>
  /** A single statement as the system, without a transaction of its own. */
  systemQuery<T = Row>(text: string, values?: readonly unknown[]): Promise<T[]>
  /** The same for a look that only shows: a standby may answer it, as newly as the primary would. */
  systemView<T = Row>(text: string, values?: readonly unknown[]): Promise<T[]>
  /** How much waits for a connection now. */
  waiting(): number
  /** How many reads of merchants went where; undefined without standbys that answer them. */
  readsByPlace?(): ReadsByPlace
  close(): Promise<void>
}

/** Since the start of this process. */
export interface ReadsByPlace {
  readonly primary: number
  readonly standbys: readonly {
    readonly reads: number
    /** It had not come far enough, was not in use, or failed with the read; another place answered. */
    readonly passedOver: Readonly<Record<'behind' | 'away' | 'failed', number>>
    readonly isInUse: boolean
    /** The log that it had not replayed when it was last asked. */
    readonly behindBytes: number
  }[]
}

const connectionWaitMs = 2_000
/** Shorter than a screen waits for its answer, and than the limit of a statement, which would say less. */
const lockWaitMs = 5_000
export const appRole = 'cellarhand_app'
export const systemRole = 'cellarhand_system'
const usualLimits: StatementLimits = { statementMs: 15_000, idleMs: 30_000 }
const beyondLimitMs = 3_000
/** Longer than any statement may take: a server silent for as long will never answer. */
export const silenceMs = usualLimits.statementMs + beyondLimitMs
/** Every statement is prepared and names its merchant, so one plan fits all; compiling pays only for long reports. */
const steady = '-c plan_cache_mode=force_generic_plan -c jit=off'
const serializationFailures = new Set(['40001', '40P01'])
const attempts = 5
/** The error of every statement that travelled behind a failed one. */
const abortedBefore = '25P02'

pg.types.setTypeParser(pg.types.builtins.INT8, Number)
/** Text of JSON columns goes out unchanged; a caller that needs the contents parses them. */
pg.types.setTypeParser(pg.types.builtins.JSON, (text) => text)

const statementNames = new Map<string, string>()
/** About what there is. A text beyond them is planned each time, and fills no memory: so is a value in the texts. */
const mostStatements = 1_000

function nameOf(text: string): string | undefined {
  let name = statementNames.get(text)
  if (name === undefined && statementNames.size < mostStatements) {
    name = createHash('sha1').update(text).digest('base64url')
    statementNames.set(text, name)
  }
  return name
}

/** Each text is prepared once on each connection. */
export function preparedOn(
  client: pg.PoolClient | pg.Pool,
  clock: Clock,
  onError: (error: Error) => void = () => undefined,
): Statements {
  return {
    clock,
    query<T>(text: string, values: readonly unknown[] = []) {
      const { promise, resolve, reject } = Promise.withResolvers<T[]>()
      // By callback: the driver's promises keep every answer in memory until the next full garbage collection, and that
      // slows down all smaller collections (7 ms each instead of 0.5 under load).
      client.query({ name: nameOf(text), text, values: [...values] }, (error, result) => {
        if (!error) return resolve(result.rows as T[])
        onError(error)
        return reject(ofDatabase(error))
      })
      return promise
    },
  }
}

/** How long a statement may run, and how long a transaction may wait for its next one; 0 is no limit. */
export interface StatementLimits {
  readonly statementMs: number
  readonly idleMs: number
}

/** Limits go in as `options`: the driver drops a 0 from its own settings, and the previous limit would stay. */
export function poolOptions(
  address: DatabaseAddress,
  role: string | undefined,
  { statementMs, idleMs }: StatementLimits = usualLimits,
): pg.PoolConfig {
  const { url, host, port, user, password, database } = address
  const asRole = role === undefined ? '' : `-c role=${role} `
  const lockMs = role === undefined || statementMs === 0 ? 0 : lockWaitMs
  return {
    ...(url === undefined
      ? { host, port, user, password, database }
      : { connectionString: withDatabase(url, database) }),
    options: `${asRole}${steady} -c statement_timeout=${statementMs} -c lock_timeout=${lockMs} -c idle_in_transaction_session_timeout=${idleMs}`,
    application_name: 'cellarhand',
    connectionTimeoutMillis: connectionWaitMs,
    ...(statementMs === 0 ? {} : { query_timeout: statementMs + beyondLimitMs }),
    keepAlive: true,
    pipeline: true,
  } as pg.PoolConfig
}

/** When a connection string and an option disagree, the driver believes the string. */
function withDatabase(url: string, database: string | undefined): string {
  if (database === undefined) return url
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.href
}

interface PoolLimits {
  /** Connections. */
  readonly app: number
  readonly system: number
  /** Ends a connection that neither answers nor breaks after so many milliseconds. */
  readonly silence?: number
}

interface DatabaseDeps {
  readonly clock: Clock
  readonly onIdleError: (error: Error) => void
  readonly limits?: PoolLimits
}

export function openDatabase(
  address: DatabaseAddress,
  { clock, onIdleError, limits = { app: 10, system: 5 } }: DatabaseDeps,
): Database {
  const openPool = (role: string, max: number) =>
    new pg.Pool({
      ...poolOptions(address, role),
      ...primaryOnly,
      max,
      // One timer per connection: the driver's timers, one per query, keep answers in memory as its promises do.
      query_timeout: undefined,
      stream: () => endedBySilence(limits.silence ?? silenceMs),
    })
  const app = openPool(appRole, limits.app)
  const system = openPool(systemRole, limits.system)
  const open = new Set<pg.PoolClient>()
  for (const pool of [app, system]) {
    pool.on('error', onIdleError)
    pool.on('connect', (client) => {
      open.add(client)
      client.on('end', () => open.delete(client))
      // A broken connection also emits an error while it is lent out. Without a listener, that would end the process.
      client.on('error', () => undefined)
      endStatementWhenSilent(client)
    })
  }
  const appStatements = preparedOn(app, clock)
  const systemStatements = preparedOn(system, clock)
  const inApp = { pool: app, clock }
  const inSystem = { pool: system, clock }
  const turns = createConnectionTurns(limits, clock)
  const glance = async <T>(merchantId: string, body: string, values: readonly unknown[] = []) =>
    turns.any.run(merchantId, () => appStatements.query<T>(glanceAt(body), [merchantId, ...values]))

  const read: Database['read'] = async (merchantId, look) =>
    turns.any.run(merchantId, async () => readOn({ client: await connect(app), clock }, merchantId, look))

  return {
    clock,
    pace: turns.pace,
    read,
    view: read,
    glance,
    longLook: async (merchantId, body, values) =>
      turns.longLooks.run(merchantId, () => glance(merchantId, body, values)),
    write: async (merchantId, change) =>
      turns.writes.run(merchantId, () =>
        turns.any.run(merchantId, () =>
          retried(() => transaction({ ...inApp, commit: waitThenCommit }, beginOpen(merchantId), change)),
        ),
      ),
    async system(work) {
      const asker = askerNow()
      const begin = asker === ownWork ? patientBegin : 'begin'
      return turns.systemWrites.run(asker, () => retried(() => transaction(inSystem, begin, work)))
    },
    systemView: async (text, values) => systemStatements.query(text, values),
    systemQuery: async (text, values) =>
      isLook(text)
        ? systemStatements.query(text, values)
        : turns.systemWrites.run(askerNow(), () => systemStatements.query(text, values)),
    waiting: () => turns.any.waiting() + turns.systemWrites.waiting() + system.waitingCount,
    async close() {
      await Promise.all([app.end(), system.end()])
      // A pool forgets its connections before they have ended, and a database that stops meanwhile breaks them.
      await Promise.all(
        [...open].map((client) => new Promise<void>((resolve) => client.once('end', resolve))),
      )
    },
  }
}

/** No caller waits for the server's own work, so it waits for a lock as long as a statement may run. */
const patientBegin = 'begin; set local lock_timeout = 0'

/** Whether the statement only reads, so that it never waits for a standby. */
function isLook(text: string): boolean {
  return /^\s*select\b/i.test(text)
}

/** Nobody asks nothing for that long: the pool closes what has been idle for ten seconds. */
export function endedBySilence(ms: number): Socket {
  const socket = new Socket()
  return socket.setTimeout(ms, () =>
    socket.destroy(Object.assign(new Error(`The database was silent for ${ms} ms`), { code: 'ETIMEDOUT' })),
  )
}

/** The whole statement of a glance. */
export function glanceAt(body: string): string {
  return `with scope as materialized (select set_config('app.merchant', $1, true) as merchant_id) ${body}`
}

function asMerchant(merchantId: string): string {
  return `set local app.merchant = ${pg.escapeLiteral(merchantId)}`
}

/** Refuses a merchant on its way to another cell before anything else: the move counts on no change after this. */
function beginOpen(merchantId: string): string {
  return `begin; ${asMerchant(merchantId)}; select require_open(${pg.escapeLiteral(merchantId)})`
}

export async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  return ofItself(pool.connect())
}

interface Connecting {
  readonly pool: pg.Pool
  readonly clock: Clock
}

/**
 * A commit waits for the standby only if its transaction wrote something. The answer to a repeated request writes
 * nothing, and may stand on a change that no standby has yet: it waits for all that was written before it.
 */
const waitThenCommit = `select pg_logical_emit_message(true, 'cellarhand', pg_current_xact_id()::text)
  where pg_current_xact_id_if_assigned() is null; commit`

async function transaction<T>(
  { pool, clock, commit = 'commit' }: Connecting & { readonly commit?: string },
  begin: string,
  work: (statements: Statements) => Promise<T>,
): Promise<T> {
  const client = await connect(pool)
  let cause: Error | undefined
  // Not awaited before the first statement: both leave in one message.
  const begun = ofItself(client.query(begin))
  begun.catch(() => undefined)
  try {
    const result = await work(
      preparedOn(client, clock, (error) => {
        if (sqlState(error) !== abortedBefore) cause ??= error
      }),
    )
    // Behind all statements, also those that nobody waits for: after a failed one, COMMIT rolls back without an error.
    await Promise.all([begun, ofItself(client.query(commit))])
    if (cause !== undefined) throw ofDatabase(cause)
    client.release()
    return result
  } catch (error) {
    // A refusal of the beginning is known to its own promise alone.
    const first =
      cause ??
      (await begun.then(
        () => undefined,
        (refused: unknown) => refused,
      ))
    const reason = sqlState(error) === abortedBefore ? (first ?? error) : error
    await rollBack(client, reason)
    throw reason
  }
}

/** A read has its answer before COMMIT, so it does not wait for that. It gives the connection back. */
export async function readOn<T>(
  { client, clock }: { readonly client: pg.PoolClient; readonly clock: Clock },
  merchantId: string,
  look: (statements: Statements) => Promise<T>,
): Promise<T> {
  client.query(`begin read only; ${asMerchant(merchantId)}`).catch(() => undefined)
  try {
    const result = await look(preparedOn(client, clock))
    client.query('commit').then(
      () => client.release(),
      (error: Error) => client.release(error),
    )
    return result
  } catch (error) {
    await rollBack(client, error)
    throw error
  }
}

async function rollBack(client: pg.PoolClient, reason: unknown): Promise<void> {
  try {
    await client.query('rollback')
    // It leads to a primary of before, and the next one to the primary of now.
    client.release(sqlState(reason) === readOnly)
  } catch (error) {
    client.release(error instanceof Error ? error : true)
  }
}

async function retried<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (attempt === attempts || !serializationFailures.has(sqlState(error) ?? '')) throw error
    }
  }
}
