import type pg from 'pg'

/** Letters instead of a hash's digits: as many different names of realistic length as there are orders. */
const letters = `translate(md5(order_id), '0123456789abcdef', 'bcdfgaeiolmnrstu')`
const part = (from: number, length: number) => `substr(${letters}, ${from}, ${length})`

/** Filling is not measured, and row by row these indexes take most of its time. */
export async function withoutSearchIndexes(pool: pg.Pool, fill: () => Promise<void>): Promise<void> {
  const { rows } = await pool.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes where tablename = 'order_search' and indexdef like '%gin%'`,
  )
  for (const { name } of rows) await pool.query(`drop index ${name}`)
  await fill()
  for (const { definition } of rows) await pool.query(definition)
}

const flooded = `merchant_id = $1 and order_key like 'flood-%'`

/** A busy year's data besides the orders: names to search by, their history, a week of events, replies and alarms. */
export async function addPast(pool: pg.Pool, merchantId: string): Promise<void> {
  const of = [merchantId]
  await pool.query(
    `update order_search set
       names = ${part(1, 6)} || ' ' || ${part(7, 9)} || E'\\n' || ${part(16, 5)} || ' ' || ${part(21, 10)},
       email = ${part(1, 6)} || '.' || ${part(7, 9)} || '@example.com'
     where merchant_id = $1`,
    of,
  )
  await pool.query(
    `insert into order_history (merchant_id, order_id, version, at, action, from_status, to_status, actor_kind, actor_id, actor_name)
     select merchant_id, order_id, version + step, submitted_at + step * interval '11 minutes', (array['accept', 'print'])[step], 'SUBMITTED', status, 'merchant', 'u-1', 'Ada Cole'
     from orders cross join generate_series(1, 2) step where ${flooded}`,
    of,
  )
  await pool.query(
    `insert into outbox (merchant_id, kind, payload, occurred_at, position, webhook_attempts, webhook_due_at, webhook_done_at)
     select merchant_id, 'order.updated', json_build_object('id', order_id, 'thirstie_logistic_order_ref', order_key, 'status', status, 'tab', tab, 'version', version, 'action', 'accept', 'comment', null),
       now(), nextval('outbox_positions'), 1, now(), now()
     from orders where ${flooded} order by submitted_at desc limit 50000`,
    of,
  )
  await pool.query(
    `insert into idempotent_replies (merchant_id, scope, idempotency_key, request_hash, status, reply)
     select merchant_id, 'POST /marketplace/v1/orders', order_key, md5(order_key), 201, document::text from orders where ${flooded} order by submitted_at desc limit 25000`,
    of,
  )
  await pool.query(
    `insert into order_alarms (merchant_id, order_id, kind, raised_at, ended_at, ended_by)
     select merchant_id, order_id, 'new', submitted_at, submitted_at, 'Ada Cole' from orders where ${flooded} order by submitted_at desc limit 25000`,
    of,
  )
}
