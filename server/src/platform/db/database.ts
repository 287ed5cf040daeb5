import { createHash } from 'node:crypto'
import { Socket } from 'node:net'
import pg from 'pg'
import { createTurns } from '../turns.ts'

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

/** Runs statements of one transaction. Those started together travel together (pipelining). */
export interface Statements {
  /** Prepared once per connection; `values` are bound, never written into the text. */
  query<T = Row>(text: string, values?: readonly unknown[]): Promise<T[]>
}

export interface Database {
  /** A read-only look as one merchant: row-level security hides every other merchant's rows. */
  read<T>(merchantId: string, look: (statements: Statements) => Promise<T>): Promise<T>
  /**
   * A read that is a single statement, in a single message: `body` follows a `scope` that has become the merchant,
   * and joins it laterally (`from scope cross join lateral (…)`), so that nothing is looked at before. $1 is the merchant.
   */
  glance<T = Row>(merchantId: string, body: string, values?: readonly unknown[]): Promise<T[]>
  /** A glance that keeps a processor busy for a while. */
  longLook<T = Row>(merchantId: string, body: string, values?: readonly unknown[]): Promise<T[]>
  /** One transaction as one merchant, tried again when it lost a race for the same rows. */
  write<T>(merchantId: string, change: (statements: Statements) => Promise<T>): Promise<T>
  /** What belongs to no merchant: sign-in, publishing, clean-up. One transaction. */
  system<T>(work: (statements: Statements) => Promise<T>): Promise<T>
  /** A single statement as the system, without a transaction of its own. */
  systemQuery<T = Row>(text: string, values?: readonly unknown[]): Promise<T[]>
  close(): Promise<void>
}

const connectionWaitMs = 2_000
/** Shorter than a screen waits for its answer, and than the limit of a statement, which would say less. */
const lockWaitMs = 5_000
/** For a turn. A burst of hundreds is taken in as it comes. */
const turnWaitMs = 10_000
const waitingPerMerchant = 500
const appRole = 'cellarhand_app'
const usualLimits: StatementLimits = { statementMs: 15_000, idleMs: 30_000 }
const beyondLimitMs = 3_000
/** Longer than any statement may take: who is silent for as long will never answer. */
const silenceMs = usualLimits.statementMs + beyondLimitMs
/** Every statement is prepared and carries its merchant, so one plan serves them all; these are no long reports to compile. */
const steady = '-c plan_cache_mode=force_generic_plan -c jit=off'
const serializationFailures = new Set(['40001', '40P01'])
const attempts = 5
/** What statements answer that travelled behind the one that failed. */
const abortedBefore = '25P02'

pg.types.setTypeParser(pg.types.builtins.INT8, Number)
/** JSON columns hold text that goes out as it is; what needs to look inside parses it itself. */
pg.types.setTypeParser(pg.types.builtins.JSON, (text) => text)

const statementNames = new Map<string, string>()
/** Well over what there is. A value that found its way into the texts is then planned anew, and fills no memory. */
const mostStatements = 1_000

function nameOf(text: string): string | undefined {
  let name = statementNames.get(text)
  if (name === undefined && statementNames.size < mostStatements) {
    name = createHash('sha1').update(text).digest('base64url')
    statementNames.set(text, name)
  }
  return name
}

function statementsOn(
  client: pg.PoolClient | pg.Pool,
  onError: (error: Error) => void = () => undefined,
): Statements {
  return {
    query<T>(text: string, values: readonly unknown[] = []) {
      const { promise, resolve, reject } = Promise.withResolvers<T[]>()
      // By callback: the driver's own promises keep every answer in memory until the next full garbage collection,
      // and what is left to that one makes all smaller collections slow (7 ms each instead of 0.5 under load).
      client.query({ name: nameOf(text), text, values: [...values] }, (error, result) => {
        if (!error) return resolve(result.rows as T[])
        onError(error)
        return reject(error)
      })
      return promise
    },
  }
}

/** How long a statement may run, and a transaction wait for its next one; 0 is no limit. */
export interface StatementLimits {
  readonly statementMs: number
  readonly idleMs: number
}

/** Limits go as `options`, never as the driver's own settings: it drops a 0, and the limit before it stays. */
export function poolOptions(
  address: DatabaseAddress,
  role: string | undefined,
  { statementMs, idleMs }: StatementLimits = usualLimits,
): pg.PoolConfig {
  const { url, host, port, user, password, database } = address
  const asRole = role === undefined ? '' : `-c role=${role} `
  const lockMs = role === appRole ? lockWaitMs : 0
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

/** For work on the whole database, which takes as long as it takes. */
export function patientClient(address: DatabaseAddress, role: string | undefined): pg.Client {
  return new pg.Client({
    ...poolOptions(address, role, { statementMs: 0, idleMs: 0 }),
    pipeline: false,
    // Routers forget a connection that says nothing for some minutes, as while an index is built.
    keepAliveInitialDelayMillis: 30_000,
  } as pg.ClientConfig)
}

/** Of a connection string and an option beside it the driver believes the string. */
function withDatabase(url: string, database: string | undefined): string {
  if (database === undefined) return url
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.href
}

export interface PoolLimits {
  /** Connections. */
  readonly app: number
  readonly system: number
  /** A connection that neither answers nor breaks is ended after as many milliseconds. */
  readonly silence?: number
}

export function openDatabase(
  address: DatabaseAddress,
  onIdleError: (error: Error) => void,
  limits: PoolLimits = { app: 10, system: 5 },
): Database {
  const openPool = (role: string, max: number) =>
    new pg.Pool({
      ...poolOptions(address, role),
      max,
      // One clock for each connection: the driver's, for each query, keep their answers in memory as its promises do.
      query_timeout: undefined,
      stream: () => endedBySilence(limits.silence ?? silenceMs),
    })
  const app = openPool(appRole, limits.app)
  const system = openPool('cellarhand_system', limits.system)
  for (const pool of [app, system]) {
    pool.on('error', onIdleError)
    // A connection that breaks while it is lent out says so itself as well, and nobody listening would end the process.
    pool.on('connect', (client) => client.on('error', () => undefined))
  }
  const appStatements = statementsOn(app)
  const systemStatements = statementsOn(system)
  const turns = connectionTurns(limits.app)
  const glance = async <T>(merchantId: string, body: string, values: readonly unknown[] = []) =>
    turns.any.run(merchantId, () =>
      appStatements.query<T>(`${becomeMerchant} ${body}`, [merchantId, ...values]),
    )

  return {
    read: async (merchantId, look) =>
      turns.any.run(merchantId, () =>
        readTransaction(app, `begin read only; ${asMerchant(merchantId)}`, look),
      ),
    glance,
    longLook: async (merchantId, body, values) =>
      turns.longLooks.run(merchantId, () => glance(merchantId, body, values)),
    write: async (merchantId, change) =>
      turns.writes.run(merchantId, () =>
        turns.any.run(merchantId, () =>
          retried(() => transaction(app, `begin; ${asMerchant(merchantId)}`, change)),
        ),
      ),
    system: (work) => retried(() => transaction(system, 'begin', work)),
    systemQuery: (text, values) => systemStatements.query(text, values),
    async close() {
      await Promise.all([app.end(), system.end()])
    },
  }
}

/**
 * Connections are shared fairly. A merchant whose writers all wait for one row holds a third of them, and all merchants'
 * writers together leave some to the readers; of what waits, each merchant's is taken in turn.
 */
function connectionTurns(connections: number) {
  const share = (part: number) => Math.max(1, Math.floor(connections * part))
  const waits = { waiting: waitingPerMerchant, waitMs: turnWaitMs }
  return {
    any: createTurns({ places: connections, perKey: share(0.6), ...waits }),
    writes: createTurns({ places: share(0.6), perKey: share(0.3), ...waits }),
    longLooks: createTurns({ places: share(0.4), perKey: share(0.1), ...waits }),
  }
}

/** Nobody asks nothing for that long: the pool closes what has been idle for ten seconds. */
function endedBySilence(ms: number): Socket {
  const socket = new Socket()
  return socket.setTimeout(ms, () =>
    socket.destroy(Object.assign(new Error(`The database was silent for ${ms} ms`), { code: 'ETIMEDOUT' })),
  )
}

const becomeMerchant = `with scope as materialized (select set_config('app.merchant', $1, true) as merchant_id)`

function asMerchant(merchantId: string): string {
  return `set local app.merchant = ${pg.escapeLiteral(merchantId)}`
}

async function transaction<T>(
  pool: pg.Pool,
  begin: string,
  work: (statements: Statements) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  let cause: Error | undefined
  // Not awaited before the first statement: both leave in one message.
  const begun = client.query(begin)
  begun.catch(() => undefined)
  try {
    const result = await work(statementsOn(client, (error) => (cause ??= error)))
    await begun
    await client.query('commit')
    client.release()
    return result
  } catch (error) {
    await rollBack(client)
    throw sqlState(error) === abortedBefore ? (cause ?? error) : error
  }
}

/** A read has its answer before COMMIT, so nobody waits for that. */
async function readTransaction<T>(
  pool: pg.Pool,
  begin: string,
  look: (statements: Statements) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  client.query(begin).catch(() => undefined)
  try {
    const result = await look(statementsOn(client))
    client.query('commit').then(
      () => client.release(),
      (error: Error) => client.release(error),
    )
    return result
  } catch (error) {
    await rollBack(client)
    throw error
  }
}

async function rollBack(client: pg.PoolClient): Promise<void> {
  try {
    await client.query('rollback')
    client.release()
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

/** PostgreSQL's five-character error code, when the error came from PostgreSQL. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** Whether somebody else held the same rows for longer than anybody waits. */
export function isLockedElsewhere(error: unknown): boolean {
  return sqlState(error) === '55P03'
}

/** Whether the database is away, starting, stopping, overloaded or read-only, as opposed to refusing what was asked. */
export function isDatabaseAway(error: unknown): boolean {
  const state = sqlState(error)
  if (state !== undefined) {
    return /^(08...|25006|28...|3D000|57014|57P0[123]|53[123]00|ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT)$/.test(
      state,
    )
  }
  return (
    error instanceof Error &&
    /timeout exceeded when trying to connect|Connection terminated|connection error and is not queryable/.test(
      error.message,
    )
  )
}
