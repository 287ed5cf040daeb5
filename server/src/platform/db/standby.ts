import { Socket } from 'node:net'
import pg from 'pg'
import type { Clock, Timer } from '../clock/clock.ts'
import type { Pace } from '../turns/pace.ts'
import { createConnectionTurns } from './connection-turns.ts'
import {
  appRole,
  connect,
  endedBySilence,
  poolOptions,
  preparedOn,
  silenceMs,
  systemRole,
  type DatabaseAddress,
  type ReadsByPlace,
  type Statements,
} from './database.ts'
import type { WalPosition } from './wal-position.ts'

const connections = 10
const ofSystem = 3
/** Between two looks, and for the answer to one: a frozen standby keeps a read waiting for their sum. */
const everyMs = 500
const answerMs = 500
/** Between two looks at a standby that has fallen behind. */
const whileBehindMs = 100
/** A read waits for the log in growing pauses, 1 ms the first, and then goes elsewhere: after 31 ms. */
const longestPauseMs = 16

const askStandby = `select (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::bigint as at`

/** The timeline is that of its last restart point: it never names one that the standby is not on. */
const lookAtStandby = `select pg_is_in_recovery() as follows, (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::bigint as at,
  (select lpad(upper(to_hex(timeline_id)), 8, '0') from pg_control_checkpoint()) as timeline,
  (select system_identifier::text from pg_control_system()) as cluster`

/** Nothing was read: the standby is away, or has not replayed the log so far. */
export class NotThere extends Error {}

export interface ReadAsked {
  readonly position: WalPosition
  /** Undefined for the system's own looks. */
  readonly merchantId: string | undefined
  readonly isLong: boolean
}

type Work<T> = (client: pg.PoolClient) => Promise<T>

export interface Standby {
  isInUse(): boolean
  /** Whether it is worth a try for a read at this position; counts a read that passes it over. */
  mayServe(position: WalPosition): boolean
  /** Runs the work on a connection whose next statement sees everything up to the position. The work releases it. */
  run<T>(asked: ReadAsked, work: Work<T>): Promise<T>
  countFailure(): void
  figures(): ReadsByPlace['standbys'][number]
  waiting(): number
  close(): Promise<void>
}

export interface StandbyDeps {
  readonly clock: Clock
  /** The process's: a merchant that only reads is there for the crowds of the primary too. */
  readonly pace: Pace
  /** Which cluster the primary belongs to. */
  readonly askCluster: () => Promise<string | undefined>
  /** Told once when it goes out of use, with the reason, and once when it comes back, without one. */
  readonly onTurn: (awayBecause: string | undefined) => void
}

interface Look extends WalPosition {
  readonly follows: boolean
  readonly cluster: string
}

async function inTurn<T>(
  turns: ReturnType<typeof createConnectionTurns>,
  { merchantId, isLong }: ReadAsked,
  work: () => Promise<T>,
): Promise<T> {
  if (merchantId === undefined) return turns.systemLooks.run('', work)
  const look = async () => turns.any.run(merchantId, work)
  return isLong ? turns.longLooks.run(merchantId, look) : look()
}

/**
 * A hot standby of the database. One connection looks at it all the time; as soon as that fails, all reads under way
 * there are broken off, so that each goes to the primary.
 */
export function openStandby(
  address: DatabaseAddress,
  { clock, pace, askCluster, onTurn }: StandbyDeps,
): Standby {
  const turns = createConnectionTurns({ app: connections, system: ofSystem }, clock, pace)
  /** Of each connection: replay never goes back while it lives, because a restart of the standby ends it. */
  const replayed = new WeakMap<pg.PoolClient, number>()
  const passedOver = { behind: 0, away: 0, failed: 0 }
  let reads = 0
  let newestAsked = 0
  let awayBecause: string | undefined
  let open: OpenPools | undefined
  let seen: Look | undefined
  /** It has fallen behind this place; no read tries it before it has come there. */
  let wanted = 0
  let watch: Watch | undefined
  let timer: Timer | undefined
  let looking: Promise<void> | undefined
  let isClosed = false

  function endWatch(): void {
    watch?.end()
    watch = undefined
  }

  function putAway(reason: string): void {
    open?.breakOff()
    open = undefined
    if (awayBecause === undefined && !isClosed) onTurn(reason)
    awayBecause = reason
  }

  function takeIn(found: Look): void {
    // Places of two timelines do not compare.
    if (found.timeline !== seen?.timeline) wanted = newestAsked = 0
    seen = found
    if (open !== undefined) return
    open = openPools(address)
    awayBecause = undefined
    onTurn(undefined)
  }

  async function look(): Promise<void> {
    timer = undefined
    try {
      watch ??= startWatch(address)
      const found = await within(clock, watch.look())
      if (isClosed) return
      if (!found.follows) putAway('it follows no primary')
      else if (watch.isOfCluster || (await isOfCluster(found.cluster))) takeIn(found)
    } catch (error) {
      endWatch()
      putAway(error instanceof Error ? error.message : String(error))
    }
    if (!isClosed) lookAfter((seen?.at ?? 0) < wanted ? whileBehindMs : everyMs)
  }

  /** Asked once for each watch that leads to one. */
  async function isOfCluster(cluster: string): Promise<boolean> {
    const isOurs = cluster === (await within(clock, askCluster()))
    if (!isOurs) putAway('it belongs to another database')
    if (watch !== undefined) watch.isOfCluster = isOurs
    return isOurs && !isClosed
  }

  function lookAfter(ms: number): void {
    timer?.stop()
    timer = clock.after(ms, () => void (looking = look()))
  }
  looking = look()

  async function reach(client: pg.PoolClient, { at }: WalPosition): Promise<void> {
    if ((replayed.get(client) ?? -1) >= at) return
    const reached = await waitForLog(preparedOn(client, clock), at)
    replayed.set(client, reached)
    if (reached < at) fallBehind(at)
  }

  function fallBehind(at: number): never {
    wanted = Math.max(wanted, at)
    passedOver.behind++
    // Without a timer it is looking now.
    if (timer !== undefined) lookAfter(whileBehindMs)
    throw new NotThere('The standby is behind')
  }

  async function runNow<T>({ position, merchantId }: ReadAsked, work: Work<T>): Promise<T> {
    if (open === undefined) {
      passedOver.away++
      throw new NotThere('The standby is away')
    }
    const client = await connect(merchantId === undefined ? open.system : open.app)
    try {
      await reach(client, position)
    } catch (error) {
      client.release(!(error instanceof NotThere))
      throw error
    }
    const result = await work(client)
    reads++
    return result
  }

  return {
    isInUse: () => open !== undefined,
    mayServe({ timeline, at }) {
      newestAsked = Math.max(newestAsked, at)
      const isThere = open !== undefined && seen?.timeline === timeline
      if (isThere && (seen?.at ?? 0) >= wanted) return true
      passedOver[isThere ? 'behind' : 'away']++
      return false
    },
    run: async (asked, work) => inTurn(turns, asked, async () => runNow(asked, work)),
    countFailure: () => void passedOver.failed++,
    figures: () => ({
      reads,
      passedOver: { ...passedOver },
      isInUse: open !== undefined,
      behindBytes: Math.max(0, newestAsked - (seen?.at ?? 0)),
    }),
    waiting: () => turns.any.waiting(),
    async close() {
      isClosed = true
      timer?.stop()
      await looking
      // A frozen standby would never say goodbye.
      if (open !== undefined) await within(clock, open.end()).catch(() => undefined)
      endWatch()
      putAway('this process has ended')
    },
  }
}

/** Waits a moment: a standby beside its primary is a millisecond or two behind. Answers how far it came. */
async function waitForLog({ query, clock }: Statements, at: number): Promise<number> {
  for (let pauseMs = 1; ; pauseMs *= 2) {
    const [row] = await query<{ at: number | null }>(askStandby)
    const reached = row?.at ?? -1
    if (reached >= at || pauseMs > longestPauseMs) return reached
    await clock.sleep(pauseMs)
  }
}

interface OpenPools {
  readonly app: pg.Pool
  readonly system: pg.Pool
  end(): Promise<void>
  breakOff(): void
}

function openPools(address: DatabaseAddress): OpenPools {
  const sockets = new Set<Socket>()
  const openPool = (role: string, max: number) => {
    const pool = new pg.Pool({
      ...poolOptions(address, role),
      application_name: readerName,
      max,
      query_timeout: undefined,
      stream: () => {
        const socket = endedBySilence(silenceMs)
        sockets.add(socket)
        return socket.once('close', () => sockets.delete(socket))
      },
    })
    pool.on('error', () => undefined)
    return pool.on('connect', (client) => client.on('error', () => undefined))
  }
  const app = openPool(appRole, connections)
  const system = openPool(systemRole, ofSystem)
  const end = async () => {
    await Promise.all([app.end(), system.end()])
  }
  return {
    app,
    system,
    end,
    breakOff() {
      end().catch(() => undefined)
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** By which `pg_stat_activity` tells them from the others. */
const readerName = 'cellarhand reads'

interface Watch {
  isOfCluster: boolean
  look(): Promise<Look>
  end(): void
}

function startWatch(address: DatabaseAddress): Watch {
  const socket = new Socket()
  const client = new pg.Client({
    ...poolOptions(address, appRole),
    application_name: readerName,
    pipeline: false,
    stream: () => socket,
  } as pg.ClientConfig)
  client.on('error', () => undefined)
  const connected = client.connect()
  connected.catch(() => undefined)
  return {
    isOfCluster: false,
    async look() {
      await connected
      const { rows } = await client.query<Look>(lookAtStandby)
      if (rows[0] === undefined) throw new Error('It answers nothing')
      return rows[0]
    },
    end: () => void socket.destroy(),
  }
}

async function within<T>(clock: Clock, work: Promise<T>): Promise<T> {
  work.catch(() => undefined)
  const late = Promise.withResolvers<never>()
  const timer = clock.after(answerMs, () => late.reject(new Error('It does not answer')))
  try {
    return await Promise.race([work, late.promise])
  } finally {
    timer.stop()
  }
}
