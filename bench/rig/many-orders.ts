import type pg from 'pg'

export interface Flood {
  readonly merchantId: string
  readonly orders: number
  /** The first order number. */
  readonly firstNumber: number
  /** From one order back to the one before it. */
  readonly everySeconds?: number
}

/**
 * Multiplies the orders of a template merchant, which came in through the product's own calls: copies their rows under
 * new numbers, dates and names. At the end it sums up the counts, as the writing transactions would have.
 */
export async function floodMerchant(
  pool: pg.Pool,
  template: string,
  { merchantId, orders, firstNumber, everySeconds = 37 }: Flood,
): Promise<void> {
  await pool.query(
    'insert into merchants select $2, name, email, primary_phone, address, contacts, timezone, merchant_account_id, payment_set_up, null, now() from merchants where merchant_id = $1 on conflict do nothing',
    [template, merchantId],
  )
  await pool.query(
    'insert into applications select $2, application_ref, name, brand_name from applications where merchant_id = $1 on conflict do nothing',
    [template, merchantId],
  )
  await pool.query(
    `with templates as materialized (select row_number() over (order by order_id) - 1 as place, * from orders where merchant_id = $1),
          made as materialized (
            select t.*, ($4::bigint + i)::text as new_id, now() - i * $5::float8 * interval '1 second' as new_date, i
            from generate_series(1, $3::int) as i join templates t on t.place = (i * 7919) % (select count(*) from templates)
          )
     insert into orders (merchant_id, order_id, order_key, status, tab, display_group, delivery_method, application_ref, submitted_at, deadline_at, shipped_at, version, document)
     select $2, new_id, 'flood-' || new_id, status, tab, display_group, delivery_method, application_ref, new_date, new_date + interval '2 hours', shipped_at, version,
       replace(replace(document::text, '"id":"' || order_id || '"', '"id":"' || new_id || '"'), order_key, 'flood-' || new_id)::json
     from made`,
    [template, merchantId, orders, firstNumber, everySeconds],
  )
  await pool.query(
    `insert into order_search (merchant_id, order_id, submitted_at, names, email)
     select o.merchant_id, o.order_id, o.submitted_at,
       lower((array['dee','zoe','priya','marco','soren','aiko','lena','omar','chidi','ines'])[1 + n % 10] || ' ' ||
         (array['nakamura','o''hara','raman','rossi','agard','tanaka','fischer','haddad','okafor','moreau'])[1 + (n / 10) % 10] || ' ' || to_hex(n)),
       'customer' || to_hex(n) || '@' || (array['example.com','mail.example','post.example'])[1 + n % 3]
     from (select *, (order_id::bigint - $2)::int as n from orders where merchant_id = $1 and order_key like 'flood-%') o`,
    [merchantId, firstNumber],
  )
  await pool.query(
    `insert into order_history (merchant_id, order_id, version, at, action, from_status, to_status, actor_kind, actor_name)
     select merchant_id, order_id, version, submitted_at, 'submit', null, status, 'marketplace', 'Marketplace' from orders where merchant_id = $1 and order_key like 'flood-%'`,
    [merchantId],
  )
  await pool.query(
    `insert into order_counts select merchant_id, tab, display_group, delivery_method, application_ref, count(*) from orders where merchant_id = $1 group by 1, 2, 3, 4, 5
     on conflict (merchant_id, tab, display_group, delivery_method, application_ref) do update set n = excluded.n`,
    [merchantId],
  )
}
