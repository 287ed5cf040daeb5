-- The active tab by due time: a range of this index, page by page. Orders that leave the tab leave the index too, so it
-- stays as small as the work that is open. Of a large table build it beforehand, concurrently and under this name.
create index if not exists orders_due on orders (merchant_id, deadline_at, order_id) where tab = 'active';
