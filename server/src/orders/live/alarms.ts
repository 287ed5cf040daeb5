import { alarmsAtOnce, type AlarmKind } from '@cellarhand/contract/live'
import type { Database, Statements } from '#platform/db/database.ts'
import type { LiveState } from './event-stream.ts'

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
export async function endAlarm(
  { query }: Statements,
  { merchantId, orderId, kind }: AlarmKey,
  by: string,
): Promise<void> {
  await query(
    `update order_alarms set ended_at = now(), ended_by = $4
     where merchant_id = $1 and order_id = $2 and kind = $3 and ended_at is null`,
    [merchantId, orderId, kind, by],
  )
}

/** Beyond this number nobody counts them. */
const countedAtMost = 1_000

/** Sent whenever an order moves or somebody acknowledges alarms; the later look covers a lost signal. */
export function alarmState(db: Database): LiveState {
  return {
    name: 'alarms',
    followsOrders: true,
    lookAgainMs: 5_000,
    async read(merchantIds) {
      const rows = await db.systemQuery<{ merchant_id: string; total: number; items: string }>(
        `select wanted.merchant_id,
           (select count(*)::int from (
              select from order_alarms o where o.merchant_id = wanted.merchant_id and o.ended_at is null limit ${countedAtMost}
            ) counted) as total,
           (select coalesce(json_agg(json_build_object('order_id', oldest.order_id, 'kind', oldest.kind, 'raised_at',
                to_char(oldest.raised_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
              order by oldest.raised_at, oldest.order_id), '[]')
            from (
              select * from order_alarms o where o.merchant_id = wanted.merchant_id and o.ended_at is null
              order by o.raised_at limit ${alarmsAtOnce}
            ) oldest) as items
         from unnest($1::text[]) as wanted (merchant_id)`,
        [merchantIds],
      )
      return new Map(rows.map((row) => [row.merchant_id, `{"total":${row.total},"items":${row.items}}`]))
    },
  }
}
