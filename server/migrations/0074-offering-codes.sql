-- The number in the barcode, without leading zeros, and the shelf; null where the stock list does not say. A clerk who
-- finds none of a bottle takes its offering down until the next stock list that has it.
alter table offerings
  add column if not exists gtin text collate "C" check (gtin ~ '^[1-9][0-9]{0,13}$'),
  add column if not exists location text,
  add column if not exists down_at timestamptz(3),
  add column if not exists down_by text,
  add column if not exists down_order_id text collate "C";
create index if not exists offerings_of_gtin on offerings (merchant_id, gtin) where gtin is not null;
grant update (down_at, down_by, down_order_id) on offerings to cellarhand_app;
