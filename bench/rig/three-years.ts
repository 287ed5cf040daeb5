import type pg from 'pg'

interface Years {
  /** A shop of the demo: its own orders are the patterns. */
  readonly merchantId: string
  readonly orders: number
  readonly days: number
  /** What a rule made the shop record of an ID, sealed as the shop seals it. */
  readonly fieldsSealed: string
}

/** The first order number. */
export const firstPast = 10_000_000
/** Most of a server's processors. */
const atOnce = 2
const perInsert = 25_000

/**
 * Past orders of a shop with the records that an inspector asks for, and nothing else: without the rows that searches
 * and event streams read, a million takes a minute or two. Four of five were handed out; one of a hundred came back,
 * an owner let one of two hundred pass a rule, a courier brought one of ten, and one of twenty had its ID recorded.
 */
export async function fillThreeYears(
  pool: pg.Pool,
  { merchantId, orders, days, fieldsSealed }: Years,
): Promise<void> {
  await dropUnreadIndexes(pool)
  await pool.query(
    `create table patterns as select row_number() over (order by order_id) - 1 as place, o.*, document::text as words
     from orders o where merchant_id = '${merchantId}' and status in ('CLOSED', 'CANCELLED', 'MERCHANT_REJECTED', 'REFUNDED')`,
  )
  const starts = Array.from({ length: Math.ceil(orders / perInsert) }, (_, index) => index * perInsert)
  const everySeconds = (days * 86_400) / orders
  const fill = async () => {
    for (let start = starts.shift(); start !== undefined; start = starts.shift())
      await insertOrders(pool, { from: start, to: Math.min(start + perInsert, orders) - 1, everySeconds })
  }
  await Promise.all(Array.from({ length: atOnce }, fill))
  const past = `orders where merchant_id = $1 and order_id::bigint >= ${firstPast}`
  await pool.query(
    `insert into order_history (merchant_id, order_id, version, at, action, to_status, actor_kind, actor_name)
     select merchant_id, order_id, step, submitted_at + step * interval '11 minutes', (array['submit', 'accept', 'print', 'close'])[step],
       status, 'merchant', 'Ada Cole' from ${past.replace(' where', ' cross join generate_series(1, 4) step where')}`,
    [merchantId],
  )
  await pool.query(
    `insert into order_history (merchant_id, order_id, version, at, action, to_status, actor_kind, actor_name, comment, details)
     select merchant_id, order_id, 5, submitted_at + interval '1 hour', 'bring_back', status, 'merchant', 'Ada Cole', 'Not handed over: under 21',
       '{"result":"refused","reason":"under_21","method":"passport","checked_by":"Ada Cole"}'::json from ${past} and order_id::bigint % 100 = 0
     union all
     select merchant_id, order_id, 6, submitted_at, 'pass_duty', status, 'merchant', 'Ines Albrecht', null,
       '{"rule":"UNKNOWN-DESTINATION","reason":"The brand holds a licence there","words":"No rule allows it."}'::json from ${past} and order_id::bigint % 200 = 1`,
    [merchantId],
  )
  await pool.query(
    `with brought as (
       insert into courier_deliveries (merchant_id, order_id, attempt, delivery_id, service, state, packages, asked_by_name, due_at)
       select merchant_id, order_id, 1, order_id, 'DoorDash', 'over', 1, 'Ada Cole', 'infinity' from ${past} and order_id::bigint % 10 = 3
     )
     insert into courier_proofs (merchant_id, order_id, attempt, delivered_at, signed_by, is_id_checked)
     select merchant_id, order_id, 1, submitted_at + interval '1 hour', 'D. Nakamura', true from ${past} and order_id::bigint % 10 = 3`,
    [merchantId],
  )
  await pool.query(
    `insert into age_check_fields (merchant_id, order_id, checked_at, rule_id, fields_sealed)
     select merchant_id, order_id, submitted_at + interval '1 hour', 'VA-AGE', $2 from ${past} and order_id::bigint % 20 = 7`,
    [merchantId, fieldsSealed],
  )
  await pool.query('analyze')
}

/** Filling is not measured, and the database is thrown away: only the keys and the order of the file stay. */
async function dropUnreadIndexes(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `select indexname as name from pg_indexes where tablename = 'orders' and indexdef not like '%UNIQUE%' and indexname <> 'orders_of_all_tabs'`,
  )
  for (const { name } of rows) await pool.query(`drop index ${name}`)
}

async function insertOrders(
  pool: pg.Pool,
  { from, to, everySeconds }: { from: number; to: number; everySeconds: number },
): Promise<void> {
  await pool.query(
    `insert into orders (merchant_id, order_id, order_key, status, tab, display_group, delivery_method, application_ref, submitted_at, deadline_at, shipped_at, version, document)
     select merchant_id, new_id, 'past-' || new_id, status, tab, display_group, delivery_method, application_ref, new_date, new_date, shipped_at, version,
       replace(replace(words, '"id":"' || order_id || '"', '"id":"' || new_id || '"'), order_key, 'past-' || new_id)::json
     from (
       select p.*, (${firstPast} + i)::text as new_id, now() - i * $3::float8 * interval '1 second' as new_date
       from generate_series($1::int, $2::int) i join patterns p on p.place = (i::bigint * 7919) % (select count(*) from patterns)
     ) made`,
    [from, to, everySeconds],
  )
}
