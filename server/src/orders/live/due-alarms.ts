import type { AlarmKind, AlarmRules } from '@cellarhand/contract/live'
import { deliveryMethods } from '@cellarhand/contract/order-statuses'
import { isOpen } from '#platform/db/closed-merchant.ts'
import type { Database, Statements } from '#platform/db/database.ts'
import { startWorker, type Worker } from '#platform/jobs/worker.ts'
import { openingOf, type ShopHours } from './shop-hours.ts'

/** An alarm rings at most this long after its moment, and the length of one look. */
const lookEveryMs = 5_000
const merchantsAtOnce = 50
/** Of each kind and method in one look; nobody counts more. */
const raisedAtMost = 1_000
const minuteMs = 60_000
/** An order whose row a clerk held during a look is found by the next ones. */
const overlapMs = 2 * minuteMs

interface Shop extends ShopHours {
  readonly merchant_id: string
  readonly rules: string
  readonly quiet_when_closed: boolean
  readonly since_at: Date
  readonly looked_at: Date
}

/** The deadlines of which an alarm has become due, and those of the orders that came back in the time of the look. */
interface Range {
  readonly merchantId: string
  readonly kind: AlarmKind
  readonly method: string
  readonly afterMs: number
  readonly untilMs: number
  readonly backAfterMs: number
  readonly dueAfterMs: number
}

interface RaisedAlarm {
  readonly merchant_id: string
  readonly order_id: string
  readonly kind: AlarmKind
}

export interface DueAlarmDeps {
  readonly db: Database
  readonly onRaise: (merchantId: string) => void
  /** Tells people of the alarms elsewhere, in the transaction that raises them. */
  readonly alsoTell: (statements: Statements, raised: readonly RaisedAlarm[]) => Promise<unknown>
  readonly onError: (error: unknown) => void
}

/**
 * Raises the alarms of nearly late and late orders when their moment comes. Several processes share the merchants. A row
 * of `order_alarms` is written once for an order and kind, so that it rings once, whichever process finds it.
 */
export function startDueAlarms({ db, onRaise, alsoTell, onError }: DueAlarmDeps): Worker {
  return startWorker({
    clock: db.clock,
    everyMs: lookEveryMs,
    onError,
    async work(isStopping) {
      for (;;) {
        const { looked, raised } = await db.system((statements) => raiseDueAlarms(statements, alsoTell))
        for (const merchantId of raised) onRaise(merchantId)
        if (looked < merchantsAtOnce || isStopping()) return
      }
    },
  })
}

async function raiseDueAlarms(
  statements: Statements,
  alsoTell: DueAlarmDeps['alsoTell'],
): Promise<{ looked: number; raised: Set<string> }> {
  const { query, clock } = statements
  const shops = await query<Shop>(
    `select r.merchant_id, r.rules, r.quiet_when_closed, r.since_at, r.looked_at, m.timezone, m.regular_hours
     from alarm_rules r join merchants m using (merchant_id)
     where r.look_at <= now() and ${isOpen('r.merchant_id')}
     order by r.look_at limit ${merchantsAtOnce} for update of r skip locked`,
  )
  if (shops.length === 0) return { looked: 0, raised: new Set() }
  const nowMs = clock.nowMs()
  // A closed shop that wants its quiet hears of the deadlines of the night when it opens.
  const ringing = shops.filter((shop) => !shop.quiet_when_closed || openingOf(shop, nowMs).isOpen)
  const rows = await raise(
    statements,
    ringing.flatMap((shop) => rangesOf(shop, nowMs)),
  )
  await alsoTell(statements, rows)
  await query(
    `update alarm_rules set look_at = now() + make_interval(secs => $3),
       looked_at = case when merchant_id = any ($2) then greatest(looked_at, $4) else looked_at end
     where merchant_id = any ($1)`,
    [
      shops.map((shop) => shop.merchant_id),
      ringing.map((shop) => shop.merchant_id),
      lookEveryMs / 1000,
      new Date(nowMs),
    ],
  )
  return { looked: shops.length, raised: new Set(rows.map((row) => row.merchant_id)) }
}

function rangesOf({ merchant_id: merchantId, rules, since_at, looked_at }: Shop, nowMs: number): Range[] {
  const fromMs = Math.max(since_at.getTime(), looked_at.getTime() - overlapMs)
  return (JSON.parse(rules) as AlarmRules['rules']).flatMap(({ method, soon_minutes: minutes, late }) => {
    const ranges: Range[] = []
    const ofRule = { merchantId, method, backAfterMs: fromMs }
    if (late) ranges.push({ ...ofRule, kind: 'late', afterMs: fromMs, untilMs: nowMs, dueAfterMs: 0 })
    if (minutes !== null) {
      const aheadMs = minutes * minuteMs
      // An order that is late already rings as late alone.
      const afterMs = Math.max(fromMs + aheadMs, nowMs)
      ranges.push({ ...ofRule, kind: 'soon', afterMs, untilMs: nowMs + aheadMs, dueAfterMs: nowMs })
    }
    return ranges
  })
}

/** The orders in the shop that are in the range. The lock makes sure that none leaves meanwhile: a change that waits for it ends the alarm. */
function found(condition: string): string {
  return `select * from (
    select o.order_id from orders o
    where o.merchant_id = wanted.merchant_id and o.tab = 'active' and o.display_group <> 'shipped'
      and o.deadline_at < wanted.until_at and ${condition}
      and case when o.delivery_method = any ($8) then o.delivery_method else 'shipped' end = wanted.method
      and not exists (select from order_alarms a
        where a.merchant_id = o.merchant_id and a.order_id = o.order_id and a.kind in (wanted.kind, 'late'))
    order by o.deadline_at desc limit ${raisedAtMost} for share skip locked
  ) each_found`
}

/** Each range is the end of one of the index `orders_due`, or of `orders_back`, up to a number. */
function raise({ query }: Statements, ranges: readonly Range[]): Promise<RaisedAlarm[]> {
  return query(
    `insert into order_alarms (merchant_id, order_id, kind)
     select wanted.merchant_id, due.order_id, wanted.kind
     from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::timestamptz[], $7::timestamptz[])
       as wanted (merchant_id, kind, method, after_at, until_at, back_after, due_after)
     cross join lateral (
       ${found('o.deadline_at > wanted.after_at')}
       union all
       ${found('o.back_at > wanted.back_after and o.deadline_at > wanted.due_after')}
     ) due
     on conflict do nothing returning merchant_id, order_id, kind`,
    [
      ranges.map(({ merchantId }) => merchantId),
      ranges.map(({ kind }) => kind),
      ranges.map(({ method }) => method),
      ranges.map(({ afterMs }) => new Date(afterMs)),
      ranges.map(({ untilMs }) => new Date(untilMs)),
      ranges.map(({ backAfterMs }) => new Date(backAfterMs)),
      ranges.map(({ dueAfterMs }) => new Date(dueAfterMs)),
      deliveryMethods,
    ],
  )
}
