import type { Statements } from '#platform/db/database.ts'
import { dueWords, unwatchedWords, type DueOrder, type PushWords } from './words.ts'

/** A newer message takes the place of an older one of its topic that the device has not received (RFC 8030). */
type Topic = 'unwatched-orders' | 'due-orders'

/** Writes a message to each device, in the transaction that causes it. */
async function promise(
  { query }: Pick<Statements, 'query'>,
  message: { merchantId: string; topic: Topic; words: PushWords },
  { which, value }: { which: 'user_id = any ($4)' | 'due_orders = $4'; value: unknown },
): Promise<number> {
  const { merchantId, topic, words } = message
  const written = await query(
    `with devices as (select device_id from push_devices where merchant_id = $1 and ${which}),
       replaced as (update push_messages set ended_at = now(), error = 'A newer message took its place'
         where merchant_id = $1 and topic = $2 and ended_at is null and device_id in (select device_id from devices))
     insert into push_messages (merchant_id, message_id, device_id, topic, content)
     select $1, gen_random_uuid()::text, device_id, $2, $3 from devices returning 1`,
    [merchantId, topic, JSON.stringify({ ...words, topic }), value],
  )
  return written.length
}

/** To every device of the people who are told that nobody watches. */
export function pushCase(
  statements: Statements,
  { merchantId, userIds, waiting }: { merchantId: string; userIds: readonly string[]; waiting: string },
): Promise<number> {
  const message = { merchantId, topic: 'unwatched-orders', words: unwatchedWords(waiting) } as const
  return promise(statements, message, { which: 'user_id = any ($4)', value: userIds })
}

interface Raised {
  readonly merchant_id: string
  readonly order_id: string
  readonly kind: string
}

/** In the transaction that raises the alarms of nearly late and late orders, so that each is told once. */
export async function pushDueOrders(statements: Statements, raised: readonly Raised[]): Promise<number> {
  if (raised.length === 0) return 0
  const rows = await statements.query<DueOrder & { merchant_id: string; timezone: string }>(
    `select r.merchant_id, r.order_id, r.kind, o.deadline_at, m.timezone
     from unnest($1::text[], $2::text[], $3::text[]) as r (merchant_id, order_id, kind)
     join orders o on o.merchant_id = r.merchant_id and o.order_id = r.order_id join merchants m on m.merchant_id = r.merchant_id
     where exists (select from push_devices d where d.merchant_id = r.merchant_id and d.due_orders)`,
    [
      raised.map(({ merchant_id: id }) => id),
      raised.map(({ order_id: id }) => id),
      raised.map(({ kind }) => kind),
    ],
  )
  let count = 0
  for (const merchantId of new Set(rows.map(({ merchant_id: id }) => id))) {
    const own = rows.filter(({ merchant_id: id }) => id === merchantId)
    const message = {
      merchantId,
      topic: 'due-orders',
      words: dueWords(own, own[0]?.timezone ?? 'UTC'),
    } as const
    count += await promise(statements, message, { which: 'due_orders = $4', value: true })
  }
  return count
}
