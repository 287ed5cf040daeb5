-- Whether the order's packing slip is printed, beside the document, so that the open orders without one are a range of
-- an index. It holds the open work alone. Of a large table add the column beforehand, then build the index
-- concurrently and under this name.
alter table orders add column if not exists has_slip boolean not null default false;
create index if not exists orders_without_slip on orders (merchant_id, deadline_at, order_id)
  where tab = 'active' and display_group <> 'shipped' and not has_slip;
