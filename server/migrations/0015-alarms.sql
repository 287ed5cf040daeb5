-- What has to be noticed by somebody: it rings on the merchant's screens until one of them takes notice, or until the
-- order is taken further. Raised and ended by the transactions that cause it.
create table order_alarms (
  merchant_id text not null,
  order_id text collate "C" not null,
  kind text not null,
  raised_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  ended_by text,
  primary key (merchant_id, order_id, kind)
);
create index order_alarms_that_ring on order_alarms (merchant_id, raised_at) where ended_at is null;
create index order_alarms_by_age on order_alarms (raised_at);

alter table order_alarms enable row level security;
alter table order_alarms force row level security;
create policy own_merchant on order_alarms to cellarhand_app using (merchant_id = (select current_merchant()));
create policy everything on order_alarms to cellarhand_system using (true) with check (true);
grant select, insert, update on order_alarms to cellarhand_app;
grant select, insert, update, delete on order_alarms to cellarhand_system;
