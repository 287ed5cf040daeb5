import type pg from 'pg'

type Database = Pick<pg.ClientBase, 'query'>

export interface Flood {
  readonly merchantId: string
  readonly orders: number
  /** The first order number. */
  readonly firstNumber: number
  /** From one order back to the one before it. */
  readonly everySeconds?: number
  /** From an order to its deadline. */
  readonly dueSeconds?: number
  /** Told after each part, of how many orders are there. */
  readonly onProgress?: (done: number) => void
}

/** As in a shop: older orders have ended. Else the server would close a backlog of years while it is measured. */
const openDays = 14

/** Few enough that a part fits in the database's memory, and that a long filling shows that it goes on. */
const ordersOfPart = 100_000

/**
 * Multiplies the orders of a template merchant, which came in through the product's own calls: copies their rows under
 * new numbers, dates and names. At the end it sums up the counts, as the writing transactions would have.
 */
export async function floodMerchant(pool: Database, template: string, flood: Flood): Promise<void> {
  const { merchantId, orders } = flood
  await pool.query(
    'insert into merchants select $2, name, email, primary_phone, address, contacts, timezone, merchant_account_id, payment_set_up, null, now() from merchants where merchant_id = $1 on conflict do nothing',
    [template, merchantId],
  )
  await pool.query(
    'insert into applications select $2, application_ref, name, brand_name from applications where merchant_id = $1 on conflict do nothing',
    [template, merchantId],
  )
  // The template's orders alone, also when the flooded merchant is the template itself.
  const { rows } = await pool.query<{ order_id: string; has_ended: boolean }>(
    `select order_id, tab in ('completed', 'cancelled') as has_ended from orders
     where merchant_id = $1 and order_key not like 'flood-%' order by order_id`,
    [template],
  )
  const idsOf = (some: typeof rows) => some.map((row) => row.order_id)
  const templates = {
    merchantId: template,
    orderIds: idsOf(rows),
    endedIds: idsOf(rows.filter((row) => row.has_ended)),
  }
  for (let from = 1; from <= orders; from += ordersOfPart) {
    const to = Math.min(orders, from + ordersOfPart - 1)
    await insertPart(pool, templates, { ...flood, from, to })
    flood.onProgress?.(to)
  }
  await pool.query(
    `insert into order_counts select merchant_id, tab, display_group, delivery_method, application_ref, count(*) from orders where merchant_id = $1 group by 1, 2, 3, 4, 5
     on conflict (merchant_id, tab, display_group, delivery_method, application_ref) do update set n = excluded.n`,
    [merchantId],
  )
}

interface Templates {
  readonly merchantId: string
  readonly orderIds: readonly string[]
  readonly endedIds: readonly string[]
}

interface Part extends Flood {
  readonly from: number
  /** It counts too. */
  readonly to: number
}

async function insertPart(
  pool: Database,
  templates: Templates,
  { merchantId, firstNumber, everySeconds = 37, dueSeconds = 7_200, from, to }: Part,
): Promise<void> {
  await pool.query(
    `with chosen as materialized (
            select i, case when i * $5::float8 < $9::float8 * 86400
              then ($4::text[])[1 + (i * 7919) % cardinality($4::text[])]
              else ($8::text[])[1 + (i * 7919) % cardinality($8::text[])] end as template_id
            from generate_series($6::bigint, $7::bigint) as i
          ),
          made as materialized (
            select o.*, ($3::bigint + i)::text as new_id, now() - i * $5::float8 * interval '1 second' as new_date, i
            from chosen join orders o on o.merchant_id = $1 and o.order_id = template_id
          )
     insert into orders (merchant_id, order_id, order_key, status, tab, display_group, delivery_method, application_ref, submitted_at, deadline_at, shipped_at, has_slip, leaves_from, version, document)
     select $2, new_id, 'flood-' || new_id, status, tab, display_group, delivery_method, application_ref, new_date, new_date + $10::float8 * interval '1 second', shipped_at, has_slip, leaves_from, version,
       replace(replace(document::text, '"id":"' || order_id || '"', '"id":"' || new_id || '"'), order_key, 'flood-' || new_id)::json
     from made`,
    [
      templates.merchantId,
      merchantId,
      firstNumber,
      templates.orderIds,
      everySeconds,
      from,
      to,
      templates.endedIds,
      openDays,
      dueSeconds,
    ],
  )
  const ofPart = `select o.*, n from generate_series($3::bigint, $4::bigint) as n
     join orders o on o.merchant_id = $1 and o.order_id = ($2::bigint + n)::text`
  const values = [merchantId, firstNumber, from, to]
  await pool.query(
    `insert into order_search (merchant_id, order_id, submitted_at, names, email)
     select merchant_id, order_id, submitted_at,
       lower((array['dee','zoe','priya','marco','soren','aiko','lena','omar','chidi','ines'])[1 + n % 10] || ' ' ||
         (array['nakamura','o''hara','raman','rossi','agard','tanaka','fischer','haddad','okafor','moreau'])[1 + (n / 10) % 10] || ' ' || to_hex(n)),
       'customer' || to_hex(n) || '@' || (array['example.com','mail.example','post.example'])[1 + n % 3]
     from (${ofPart}) o`,
    values,
  )
  // The last four digits, a phone number and one of 2,000 post codes.
  await pool.query(
    `insert into order_keys (merchant_id, key, order_id)
     select merchant_id, unnest(array[right(order_id, 4), (2120000000 + n)::text, (10000 + n % 2000)::text]), order_id
     from (${ofPart}) o on conflict do nothing`,
    values,
  )
  await pool.query(
    `insert into order_history (merchant_id, order_id, version, at, action, from_status, to_status, actor_kind, actor_name)
     select merchant_id, order_id, version, submitted_at, 'submit', null, status, 'marketplace', 'Marketplace' from (${ofPart}) o`,
    values,
  )
}
