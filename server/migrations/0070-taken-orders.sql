-- The clerk who has said "I take it", and since when, beside the document: no read of the marketplace selects these
-- columns. Of a large table add the columns beforehand, then build the index concurrently and under this name.
alter table orders
  add column if not exists taken_by text collate "C",
  add column if not exists taken text;
create index if not exists orders_taken on orders (merchant_id, taken_by, deadline_at, order_id) where taken_by is not null;
