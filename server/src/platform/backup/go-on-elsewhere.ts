import type pg from 'pg'
import { systemClock } from '../clock/system-clock.ts'
import { statementsOn } from '../db/statements-on.ts'
import type { Upkeep } from '../upkeep/upkeep.ts'
import type { Manifest } from './manifest.ts'

/**
 * The counters of a restored shop start from the time alone. So every restore starts beyond all numbers that were given
 * before it, even when it uses an older backup than the restore before. The rate must exceed a shop's own.
 */
const since = Date.UTC(2026, 10, 1)
const perSecond = {
  sequences: 100_000,
  /** An integer in the database: enough for 68 years. */
  versions: 1,
}
/** For a clock that was set back: the backup is then already beyond its time. */
const stepWithoutTime = 1_000_000
const dayMs = 86_400_000

/** The version from which the orders of a shop go on that is restored at this moment. */
export function leastVersionAt(atMs: number): number {
  return Math.floor((perSecond.versions * (atMs - since)) / 1000)
}

/** A cell's own order numbers begin at a multiple of it (`admin number-orders`). */
export const cellStep = 1_000_000_000

/** People read order numbers out, and a cell has only `cellStep` of them: this leaves its range in 2086. */
const orderNumbers = {
  /** Beyond the numbers that a restore gave in the autumn of 2026, when the rate was 10 a second. */
  first: 50_000_000,
  perSecond: 0.5,
}

function placeAt(atMs: number, rate: number): number {
  return 2_000_000 + Math.floor((rate * (atMs - since)) / 1000)
}

/** Beyond the backup's last number. */
function beyond(last: number, place: number): number {
  return place > last ? place : last + stepWithoutTime
}

interface Backed {
  readonly madeAtMs: number
  /** The orders of the busiest day before the backup. */
  readonly busiestDay: number
}

/**
 * The last order number of a shop that is restored at this moment. A cell counts the time from its own first number. A
 * cell so busy that its orders since the backup may be beyond the time goes on from the backup's last number: by twice
 * its busiest day for each day since.
 */
export function orderNumberAt(
  atMs: number,
  last: number,
  { madeAtMs, busiestDay }: Backed = { madeAtMs: atMs, busiestDay: 0 },
): number {
  const byTime =
    last -
    (last % cellStep) +
    orderNumbers.first +
    Math.floor((orderNumbers.perSecond * (atMs - since)) / 1000)
  const mayBeGiven = Math.ceil((2 * busiestDay * (atMs - madeAtMs)) / dayMs)
  return byTime > last + mayBeGiven ? byTime : last + Math.max(mayBeGiven, stepWithoutTime)
}

/**
 * A backup does not know what happened after it, but others do. Every counter continues beyond the numbers that may be
 * in use. Nothing that waited at the backup goes out by itself, because it has probably gone out since.
 */
export async function goOnElsewhere(
  client: pg.Client,
  { made_at: madeAt }: Manifest,
  upkeep: readonly Upkeep[],
): Promise<void> {
  const madeAtMs = Date.parse(madeAt)
  const atMs = Math.max(systemClock.nowMs(), madeAtMs)
  const { rows: sequences } = await client.query<{ name: string; last: number }>(
    `select sequencename as name, coalesce(last_value, start_value) as last
     from pg_sequences where schemaname = current_schema()`,
  )
  // As the system role: row-level security may hide merchants from the login.
  await client.query('set local role cellarhand_system')
  const moved = await moveEvents(client, sequences, atMs)
  const backed = { madeAtMs, busiestDay: await countBusiestDay(client, madeAt) }
  const leastVersion = leastVersionAt(atMs)
  const statements = statementsOn(client, systemClock)
  for (const part of upkeep) await part.afterRestore?.(statements, { madeAt, leastVersion })
  await client.query('reset role')
  for (const { name, last } of sequences) {
    const place = name === positions ? last + moved : nextPlace({ name, last }, atMs, backed)
    await client.query(`select setval(format('%I', $1::text)::regclass, $2::bigint)`, [name, place])
  }
}

const positions = 'outbox_positions'

function nextPlace({ name, last }: { name: string; last: number }, atMs: number, backed: Backed): number {
  return name === 'order_numbers'
    ? orderNumberAt(atMs, last, backed)
    : beyond(last, placeAt(atMs, perSecond.sequences))
}

/** The most orders in one of the seven days before the backup. */
async function countBusiestDay(client: pg.Client, madeAt: string): Promise<number> {
  const { rows } = await client.query<{ most: number }>(
    `select coalesce(max(n), 0)::int as most from (
       select count(*) as n from orders where submitted_at > $1::timestamptz - interval '7 days'
       group by date_bin('1 day', submitted_at, $1)) days`,
    [madeAt],
  )
  return rows[0]?.most ?? 0
}

/** Moves the events so that every open dashboard is behind the oldest and reloads. Returns the distance. */
async function moveEvents(
  client: pg.Client,
  sequences: readonly { name: string; last: number }[],
  atMs: number,
): Promise<number> {
  const newest = sequences.find(({ name }) => name === positions)?.last ?? 0
  const { rows } = await client.query<{ oldest: number | null }>('select min(position) as oldest from outbox')
  const oldest = rows[0]?.oldest ?? newest
  const moved = beyond(oldest, placeAt(atMs, perSecond.sequences)) - oldest
  await client.query('update outbox set position = position + $1 where position is not null', [moved])
  return moved
}
