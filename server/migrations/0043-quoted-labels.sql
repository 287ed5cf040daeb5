-- Prices that the carrier quoted before a purchase. The purchase takes the shipment that was quoted, so that asking for
-- the price of a selection makes no second shipment of each order at the provider.
create table label_quotes (
  merchant_id text not null,
  order_id text collate "C" not null,
  box integer not null,
  -- A digest of all that was asked: the quote of another weight or address buys nothing.
  wish text collate "C" not null,
  shipment text collate "C" not null,
  rate text collate "C" not null,
  price_cents integer not null,
  -- The provider's own names of what the rate is for; null where it need not be told them again.
  carrier text,
  service text,
  quoted_at timestamptz not null default now(),
  primary key (merchant_id, order_id, box)
);
alter table label_quotes enable row level security;
alter table label_quotes force row level security;
create policy own_merchant on label_quotes to cellarhand_app using (merchant_id = (select current_merchant()));
create policy everything on label_quotes to cellarhand_system using (true) with check (true);
grant select, insert, delete on label_quotes to cellarhand_app;
grant update (wish, shipment, rate, price_cents, carrier, service, quoted_at) on label_quotes to cellarhand_app;
grant select, insert, update, delete on label_quotes to cellarhand_system;
