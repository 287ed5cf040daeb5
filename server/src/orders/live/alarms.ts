import { alarmsAtOnce, type AlarmKind } from '@cellarhand/contract/live'
import type { Database, Statements } from '#platform/db/database.ts'
import type { LiveState } from './state-looks.ts'
import { openingOf, type ShopHours } from './shop-hours.ts'

export interface AlarmKey {
  readonly merchantId: string
  readonly orderId: string
  readonly kind: AlarmKind
}

/** Rings from the end of this transaction on, even if it was ended before. */
export async function raiseAlarm(
  { query }: Statements,
  { merchantId, orderId, kind }: AlarmKey,
): Promise<void> {
  await query(
    `insert into order_alarms (merchant_id, order_id, kind) values ($1, $2, $3)
     on conflict (merchant_id, order_id, kind) do update set raised_at = excluded.raised_at, ended_at = null, ended_by = null`,
    [merchantId, orderId, kind],
  )
}

/** A person who takes the order further has noticed it. */
export async function endAlarms(
  { query }: Statements,
  { merchantId, orderId, kinds }: Omit<AlarmKey, 'kind'> & { readonly kinds: readonly AlarmKind[] },
  by: string,
): Promise<void> {
  await query(
    `update order_alarms set ended_at = now(), ended_by = $4
     where merchant_id = $1 and order_id = $2 and kind = any ($3) and ended_at is null`,
    [merchantId, orderId, kinds, by],
  )
}

/** Beyond this number nobody counts them. */
const countedAtMost = 1_000

interface Row extends ShopHours {
  readonly merchant_id: string
  readonly cancelled: number
  readonly fresh: number
  readonly items: string
  readonly late: number
  readonly soon: number
  readonly due: string
  readonly asked: number
  readonly questions: string
  readonly quiet_when_closed: boolean
}

/**
 * A cancellation never waits behind new orders: somebody may be packing the bottles. So each kind is counted and named
 * by itself. Few ring for a cancellation, and fewer than a week's orders ring at all.
 *
 * Told whenever an order moves or somebody takes notice; the later look is for a signal that was lost, and for the hours
 * of a shop.
 */
export function alarmState(db: Database): LiveState {
  return {
    name: 'alarms',
    followsOrders: true,
    lookAgainMs: 5_000,
    async read(merchantIds) {
      const rows = await db.systemQuery<Row>(
        `select wanted.merchant_id, ${countOf('cancelled')} as cancelled, ${countOf('new')} as fresh,
           ${firstOf('cancelled', 'new')} as items, ${countOf('late')} as late, ${countOf('soon')} as soon,
           ${firstOf('late', 'soon')} as due, ${countOf('asked')} as asked, ${firstOf('asked')} as questions,
           coalesce(r.quiet_when_closed, false) as quiet_when_closed, m.timezone, m.regular_hours
         from unnest($1::text[]) as wanted (merchant_id)
         join merchants m using (merchant_id) left join alarm_rules r using (merchant_id)`,
        [merchantIds],
      )
      return new Map(rows.map((row) => [row.merchant_id, toText(row, db.clock.nowMs())]))
    },
  }
}

function toText(row: Row, nowMs: number): string {
  const { cancelled, fresh, items, late, soon, due, asked, questions } = row
  const isQuiet = row.quiet_when_closed && !openingOf(row, nowMs).isOpen
  return `{"total":${cancelled + fresh},"cancelled":${cancelled},"items":${items},"due":{"late":${late},"soon":${soon},"items":${due}},"asked":{"total":${asked},"items":${questions}},"is_quiet":${isQuiet}}`
}

function ringing(kind: AlarmKind): string {
  const rings = `select o.* from order_alarms o
    where o.merchant_id = wanted.merchant_id and o.kind = '${kind}' and o.ended_at is null`
  // An order that has become late is no longer nearly late.
  return kind === 'soon'
    ? `${rings} and not exists (select from order_alarms l
        where l.merchant_id = o.merchant_id and l.order_id = o.order_id and l.kind = 'late')`
    : rings
}

function countOf(kind: AlarmKind): string {
  return `(select count(*)::int from (${ringing(kind)} limit ${countedAtMost}) counted)`
}

/** Those of the first kind come first, and of each kind the oldest. */
function firstOf(first: AlarmKind, ...others: AlarmKind[]): string {
  const each = [first, ...others].map(
    (kind) => `(${ringing(kind)} order by o.raised_at limit ${alarmsAtOnce})`,
  )
  return `(select coalesce(json_agg(json_build_object('order_id', first.order_id, 'kind', first.kind, 'raised_at',
      to_char(first.raised_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    order by first.kind <> '${first}', first.raised_at, first.order_id), '[]')
    from (select * from (${each.join(' union all ')}) any_kind limit ${alarmsAtOnce}) first)`
}
