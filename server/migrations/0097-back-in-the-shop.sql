-- When an order came back among those that the shop can still hurry; its deadline may have passed meanwhile. Of a large
-- table build the index beforehand, concurrently and under this name.
alter table orders add column if not exists back_at timestamptz(3);
create index if not exists orders_back on orders (merchant_id, back_at)
  where back_at is not null and tab = 'active' and display_group <> 'shipped';
