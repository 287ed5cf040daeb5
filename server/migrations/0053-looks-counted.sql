-- How many of the counted orders need a look. A shop that closes its local orders without an ID check has as many of
-- them as orders, and counting them anew after each change of an order would take longer with each day.
alter table order_counts add column if not exists looks integer not null default 0;
update order_counts c set looks = counted.n from (
  select merchant_id, tab, display_group, delivery_method, application_ref, count(*) as n
  from orders where needs_look group by 1, 2, 3, 4, 5
) counted
where (c.merchant_id, c.tab, c.display_group, c.delivery_method, c.application_ref) =
  (counted.merchant_id, counted.tab, counted.display_group, counted.delivery_method, counted.application_ref);
