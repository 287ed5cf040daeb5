-- Each bottle that a clerk has taken from the shelf for an order, until the order is long gone: its history keeps who
-- picked what. The marketplace never receives it.
create table picks (
  merchant_id text not null,
  order_id text collate "C" not null,
  line_id text collate "C" not null,
  piece integer not null,
  -- The product of the line at that moment: after corrected lines, a line of the same number can be another bottle.
  product_key text not null,
  how text not null check (how in ('scan', 'hand')),
  code text,
  picker_id text not null,
  picker text not null,
  picked_at timestamptz(3) not null default now(),
  primary key (merchant_id, order_id, line_id, piece)
);

alter table picks enable row level security;
alter table picks force row level security;
create policy own_merchant on picks to cellarhand_app using (merchant_id = (select current_merchant()));
create policy everything on picks to cellarhand_system using (true) with check (true);
grant select, insert, delete on picks to cellarhand_app;
grant select, insert, update, delete on picks to cellarhand_system;
