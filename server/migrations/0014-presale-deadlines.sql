-- A presale's business day begins when it may be shipped, ten days before the latest date of its lines. Orders from
-- before this rule still have the day after their submission, and would look late for as long as they wait.
update orders o set deadline_at = due.at
from (
  select p.merchant_id, p.order_id,
    ((p.ready at time zone m.timezone)
      + case extract(isodow from p.ready at time zone m.timezone) when 5 then 3 when 6 then 2 else 1 end * interval '1 day')
      at time zone m.timezone as at,
    p.ready
  from (
    select o.merchant_id, o.order_id,
      max(item -> 'aux_data' ->> 'preorder_available_date')::timestamp at time zone 'UTC' - interval '10 days' as ready
    from orders o cross join lateral json_array_elements(o.document -> 'items') as item
    where o.tab = 'active' and o.delivery_method not in ('on_demand', 'scheduled')
    group by 1, 2
  ) p join merchants m using (merchant_id)
) due
where o.merchant_id = due.merchant_id and o.order_id = due.order_id and due.ready > o.submitted_at;
