import { lateAtMost, reasonsAtMost, type ClerkFigures, type DayFigures } from '@cellarhand/contract/today'
import { dayAfter, dayIn, isRealDay, startOfDay } from '#platform/clock/zoned-time.ts'
import type { Database, Statements } from '#platform/db/database.ts'
import { refuse, refuseInvalid } from '#platform/http/refuse.ts'
import { dayOrders } from './day-orders.ts'

const hourMs = 3_600_000

interface ShopDay {
  readonly day: string
  readonly timezone: string
  readonly fromMs: number
  readonly endMs: number
}

async function shopDayOf(
  { query, clock }: Statements,
  merchantId: string,
  asked: string | undefined,
): Promise<ShopDay> {
  refuseInvalid({
    day: asked === undefined || isRealDay(asked) ? undefined : `${asked} is no day, such as 2026-11-23.`,
  })
  const [shop] = await query<{ timezone: string }>('select timezone from merchants where merchant_id = $1', [
    merchantId,
  ])
  if (shop === undefined) return refuse('not_found')
  const { timezone } = shop
  const day = asked ?? dayIn(clock.nowMs(), timezone)
  return {
    day,
    timezone,
    fromMs: startOfDay(day, timezone),
    endMs: startOfDay(dayAfter(day), timezone),
  }
}

function boundsOf({ fromMs, endMs }: ShopDay, merchantId: string, nowMs: number) {
  return [merchantId, new Date(fromMs), new Date(endMs), new Date(nowMs)]
}

/** Null where no order has come that far. */
type Pair = readonly [median: number, p95: number] | null

interface FigureRow {
  readonly hour: number | null
  readonly orders: number
  readonly accepted: number
  readonly waiting: number
  readonly held: number
  readonly rejected: number
  readonly cancelled: number
  readonly late: number
  readonly open: number
  readonly on_hold: number
  readonly late_open: number
  readonly to_accept: Pair
  readonly to_hand_over: Pair
}

interface Answer {
  readonly figures: readonly FigureRow[]
  readonly reasons: DayFigures['reasons'] | null
  readonly late_orders: DayFigures['late_orders'] | null
  readonly came_back: DayFigures['came_back'] | null
}

const count = (which: string) => `count(*) filter (where ${which})::int`
const spread = (from: string, to: string) =>
  `percentile_cont(array[0.5, 0.95]) within group
     (order by extract(epoch from ${to} - ${from})::float8 / 60)`

const figureColumns = `
  count(*)::int as orders,
  ${count("outcome = 'accepted'")} as accepted,
  ${count("outcome = 'waiting'")} as waiting,
  ${count("outcome = 'held'")} as held,
  ${count("outcome = 'rejected'")} as rejected,
  ${count("outcome = 'cancelled'")} as cancelled,
  ${count('is_late')} as late,
  ${count('is_open')} as open,
  ${count("tab = 'on_hold'")} as on_hold,
  ${count('is_late and is_open')} as late_open,
  ${spread('submitted_at', 'accepted_at')} as to_accept,
  ${spread('submitted_at', 'handed_at')} as to_hand_over`

/** The first that applies. An open order shows its place, one that is done the step that took the time. */
const cause = `case
  when is_open and status = 'SUBMITTED' then 'not_accepted'
  when is_open and status = 'MERCHANT_SHIPPED' then 'on_the_road'
  when returns > 0 then 'brought_back'
  when is_open and couriers > lost_couriers then 'waiting_for_courier'
  when lost_couriers > 0 then 'courier_lost'
  when is_open and failed_labels > 0 then 'label_failed'
  when is_open and is_local then 'at_the_counter'
  when is_open then 'waiting_for_label'
  when holds > 0 then 'was_on_hold'
  when accepted_at - submitted_at > (deadline_at - submitted_at) / 2 then 'accepted_late'
  else 'took_long'
end`

const minutes = (from: string, to: string) =>
  `greatest(floor(extract(epoch from ${to} - ${from}) / 60), 0)::int`

const wireTime = (moment: string) => `to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const dayFigures = `${dayOrders}, late as (
    select order_id as id, is_open, ${minutes('deadline_at', 'coalesce(done_at, $4)')} as late_minutes,
      ${cause} as cause, returns, lost_couriers, failed_labels,
      ${minutes('submitted_at', 'accepted_at')} as until_accepted,
      ${minutes('coalesce(accepted_at, submitted_at)', 'done_at')} as until_done
    from day where is_late
    order by is_open desc, late_minutes desc, order_id limit ${lateAtMost}
  )
  select json_build_object(
    'figures', (select json_agg(f) from (
      select hour, ${figureColumns} from day group by grouping sets ((hour), ()) order by hour nulls first) f),
    'reasons', (select json_agg(r) from (
      select coalesce(h.details->>'code', 'other') as code,
        case when coalesce(h.details->>'code', 'other') = 'other' then h.comment end as text, count(*)::int as count
      from day cross join lateral (
        select details, comment from order_history
        where merchant_id = $1 and order_id = day.order_id and action = 'reject' order by version desc limit 1) h
      where outcome = 'rejected'
      group by 1, 2 order by count desc, code, text limit ${reasonsAtMost}) r),
    'late_orders', (select json_agg(json_build_object('id', id, 'is_open', is_open, 'late_minutes', late_minutes,
        'cause', cause, 'n', case cause
          when 'brought_back' then returns when 'courier_lost' then lost_couriers when 'label_failed' then failed_labels
          when 'accepted_late' then until_accepted when 'took_long' then until_done else 0 end)) from late),
    'came_back', (select json_agg(json_build_object('id', order_id, 'by', actor_name, 'at', ${wireTime('at')},
        'bottles', (details->>'bottles')::int, 'of', (details->>'of')::int) order by at desc, order_id) from (
      select order_id, actor_name, at, details from order_history h
      where merchant_id = $1 and action = 'came_back' and at >= $2 and at < $3
        and not exists (select from order_history u where u.merchant_id = $1 and u.order_id = h.order_id
          and u.action = 'not_back' and u.version > h.version
          and not exists (select from order_history s where s.merchant_id = $1 and s.order_id = h.order_id
            and s.version > h.version and s.version < u.version
            and (s.action = 'void_labels' or s.action = 'correct_tracking' and s.details->>'sent_again' is not null)))
      order by at desc, order_id limit ${lateAtMost}) b)
  ) as answer`

/** The orders that a merchant received on one of its days. */
export async function getDayFigures(
  db: Database,
  merchantId: string,
  asked: string | undefined,
): Promise<DayFigures> {
  return db.view(merchantId, async (statements) => {
    const shopDay = await shopDayOf(statements, merchantId, asked)
    const nowMs = statements.clock.nowMs()
    const [row] = await statements.query<{ answer: string }>(dayFigures, boundsOf(shopDay, merchantId, nowMs))
    const { figures, reasons, late_orders, came_back } = JSON.parse(row?.answer ?? '{}') as Answer
    const whole = figures.find(({ hour }) => hour === null) ?? noOrders
    return {
      day: shopDay.day,
      timezone: shopDay.timezone,
      from: new Date(shopDay.fromMs).toISOString(),
      until: new Date(shopDay.endMs).toISOString(),
      as_of: new Date(nowMs).toISOString(),
      ...figuresOf(whole),
      open: whole.open,
      on_hold: whole.on_hold,
      late_open: whole.late_open,
      hours: hoursOf(figures, shopDay.fromMs),
      reasons: reasons ?? [],
      late_orders: late_orders ?? [],
      came_back: came_back ?? [],
    }
  })
}

const noOrders: FigureRow = {
  hour: null,
  orders: 0,
  accepted: 0,
  waiting: 0,
  held: 0,
  rejected: 0,
  cancelled: 0,
  late: 0,
  open: 0,
  on_hold: 0,
  late_open: 0,
  to_accept: null,
  to_hand_over: null,
}

function figuresOf(row: FigureRow) {
  const { orders, accepted, waiting, held, rejected, cancelled, late } = row
  return {
    orders,
    accepted,
    waiting,
    held,
    rejected,
    cancelled,
    late,
    to_accept: spreadOf(row.to_accept),
    to_hand_over: spreadOf(row.to_hand_over),
  }
}

function spreadOf(pair: Pair) {
  return { median: tenth(pair?.[0]), p95: tenth(pair?.[1]) }
}

/** Never below 0: the marketplace's clock, which says when an order was submitted, can be ahead of ours. */
function tenth(value: number | null | undefined): number | null {
  return value === null || value === undefined ? null : Math.max(0, Math.round(value * 10) / 10)
}

/** Counted from the day's beginning, so that the hour that a clock change repeats stays two. */
function hoursOf(figures: readonly FigureRow[], fromMs: number): DayFigures['hours'] {
  const byHour = new Map(figures.flatMap((row) => (row.hour === null ? [] : [[row.hour, row] as const])))
  if (byHour.size === 0) return []
  const [first, last] = [Math.min(...byHour.keys()), Math.max(...byHour.keys())]
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const hour = first + index
    return { at: new Date(fromMs + hour * hourMs).toISOString(), ...figuresOf(byHour.get(hour) ?? noOrders) }
  })
}

const clerkFigures = `${dayOrders}, decided as (
    select h.actor_id, h.actor_name, h.action, h.at, submitted_at, is_late,
      case when h.action = 'accept' then h.at end as accepted_at,
      case when h.action = 'accept' then handed_at end as handed_at
    from day join order_history h on h.merchant_id = $1 and h.order_id = day.order_id and h.version = day.decision
    where h.actor_id is not null
  )
  select actor_id as id, (array_agg(actor_name order by at desc))[1] as name, count(*)::int as decided,
    ${count("action = 'accept'")} as accepted, ${count("action = 'reject'")} as rejected,
    percentile_cont(0.5) within group (order by extract(epoch from at - submitted_at)::float8 / 60) as median,
    ${spread('submitted_at', 'accepted_at')} as to_accept,
    ${spread('submitted_at', 'handed_at')} as to_hand_over,
    ${count('is_late')} as late
  from decided group by actor_id order by decided desc, name`

interface ClerkRow extends Omit<ClerkFigures['clerks'][number], 'to_accept' | 'to_hand_over'> {
  readonly to_accept: Pair
  readonly to_hand_over: Pair
}

/** The same orders by the clerk who decided on each first. */
export async function getClerkFigures(
  db: Database,
  merchantId: string,
  asked: string | undefined,
): Promise<ClerkFigures> {
  return db.view(merchantId, async (statements) => {
    const shopDay = await shopDayOf(statements, merchantId, asked)
    const bounds = boundsOf(shopDay, merchantId, statements.clock.nowMs())
    const rows = await statements.query<ClerkRow>(clerkFigures, bounds)
    const clerks = rows.map((row) => ({
      ...row,
      median: tenth(row.median),
      to_accept: spreadOf(row.to_accept),
      to_hand_over: spreadOf(row.to_hand_over),
    }))
    return { day: shopDay.day, clerks }
  })
}
