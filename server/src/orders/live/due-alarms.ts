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

/** The deadlines of which an alarm has become due. */
interface Range {
  readonly merchantId: string
  readonly kind: AlarmKind
  readonly method: string
  readonly afterMs: number
  readonly untilMs: number
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
    if (late) ranges.push({ merchantId, method, kind: 'late', afterMs: fromMs, untilMs: nowMs })
    if (minutes !== null) {
      const aheadMs = minutes * minuteMs
      // An order that is late already rings as late alone.
      const afterMs = Math.max(fromMs + aheadMs, nowMs)
      ranges.push({ merchantId, method, kind: 'soon', afterMs, untilMs: nowMs + aheadMs })
    }
    return ranges
  })
}

/**
 * Each range is the end of one of the index `orders_due`, up to a number. The lock makes sure that the order does not
 * leave the shop meanwhile: a change that waits for it ends the alarm.
 */
function raise({ query }: Statements, ranges: readonly Range[]): Promise<RaisedAlarm[]> {
  return query(
    `insert into order_alarms (merchant_id, order_id, kind)
     select wanted.merchant_id, due.order_id, wanted.kind
     from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::timestamptz[])
       as wanted (merchant_id, kind, method, after_at, until_at)
     cross join lateral (
       select o.order_id from orders o
       where o.merchant_id = wanted.merchant_id and o.tab = 'active' and o.display_group <> 'shipped'
         and o.deadline_at > wanted.after_at and o.deadline_at < wanted.until_at
         and case when o.delivery_method = any ($6) then o.delivery_method else 'shipped' end = wanted.method
         and not exists (select from order_alarms a
           where a.merchant_id = o.merchant_id and a.order_id = o.order_id and a.kind in (wanted.kind, 'late'))
       order by o.deadline_at desc limit ${raisedAtMost} for share skip locked
     ) due
     on conflict do nothing returning merchant_id, order_id, kind`,
    [
      ranges.map(({ merchantId }) => merchantId),
      ranges.map(({ kind }) => kind),
      ranges.map(({ method }) => method),
      ranges.map(({ afterMs }) => new Date(afterMs)),
      ranges.map(({ untilMs }) => new Date(untilMs)),
      deliveryMethods,
    ],
  )
}
