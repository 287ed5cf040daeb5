-- The first day on which a clerk can bring an accepted order on its way, beside the document: the queue names the first
-- few that can leave, however many wait for a courier or for the day of their presale before them.
alter table orders add column if not exists leaves_from date not null default '-infinity';
update orders set leaves_from = case
    when document -> 'courier_info' ->> 'order_status' not in ('ORDER_FAILED', 'ORDER_CANCELLED', 'ORDER_DELIVERED') then 'infinity'
    else coalesce((
      select max(left(item -> 'aux_data' ->> 'preorder_available_date', 10)::date) - 10
      from json_array_elements(document -> 'items') item
      where item -> 'aux_data' ->> 'preorder_available_date' <> ''), '-infinity')
  end
  where tab = 'active' and display_group = 'accepted';
