import type pg from 'pg'

/** Syllables by the digits of a hash: as many different names of real length as there are orders. */
const nameOf = (key: string, syllables: number) =>
  `(select string_agg((array['ba','cor','del','el','fen','gar','hol','im','jan','kir','lu','mor','nes','os','per','quin','ros','sten','tur','ul','van','wes','xan','yor','zel','ash','bri','che','dra','eli','fos','gri'])
     [1 + get_byte(decode(md5(${key}), 'hex'), g) % 32], '') from generate_series(0, ${syllables - 1}) g where ${key} is not null)`

const flooded = `merchant_id = $1 and order_key like 'flood-%'`

/** What a busy year leaves beside flooded orders: names to search by, their history, a week of events, replies and alarms. */
export async function addPast(pool: pg.Pool, merchantId: string): Promise<void> {
  const of = [merchantId]
  await pool.query(
    `update order_search s set
       names = ${nameOf(`'first' || s.order_id`, 3)} || ' ' || ${nameOf(`'last' || s.order_id`, 4)} || E'\\n' ||
         ${nameOf(`'buyer' || s.order_id`, 2)} || ' ' || ${nameOf(`'family' || s.order_id`, 4)},
       email = ${nameOf(`'mail' || s.order_id`, 4)} || '.' || ${nameOf(`'box' || s.order_id`, 3)} || '@example.com'
     from orders o where o.merchant_id = s.merchant_id and o.order_id = s.order_id and s.merchant_id = $1 and o.order_key like 'flood-%'`,
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
