-- The active orders of one group by due time: the next to decide and the next to do are the start of a range. Like
-- orders_due it holds the work that is open and nothing else. Of a large table build it beforehand, concurrently and
-- under this name.
create index if not exists orders_due_by_group on orders (merchant_id, display_group, deadline_at, order_id) where tab = 'active';
