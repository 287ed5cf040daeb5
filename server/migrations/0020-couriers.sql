-- Each time a courier was asked to take an order: what was asked under which name, so that nothing is asked twice.
create table courier_deliveries (
  merchant_id text not null references merchants,
  order_id text collate "C" not null,
  attempt integer not null,
  -- Our own name for it at the courier service; asking again under the same name is the same delivery.
  delivery_id text collate "C" not null,
  service text not null,
  service_id text,
  -- asking, unknown (no answer came), live, over, refused
  state text not null,
  stage text,
  packages integer not null,
  instructions text,
  asked_by_id text,
  asked_by_name text not null,
  asked_at timestamptz not null default now(),
  cancel_asked_at timestamptz,
  -- When the background work looks at it next; while a request is under way, the end of its lease.
  due_at timestamptz not null,
  fee_cents bigint,
  error text,
  primary key (merchant_id, order_id, attempt)
);
create index courier_deliveries_due on courier_deliveries (due_at) where state in ('asking', 'unknown', 'live');
create unique index courier_deliveries_by_name on courier_deliveries (merchant_id, delivery_id);
alter table courier_deliveries enable row level security;
alter table courier_deliveries force row level security;
create policy own_merchant on courier_deliveries to cellarhand_app using (merchant_id = (select current_merchant()));
create policy everything on courier_deliveries to cellarhand_system using (true) with check (true);
grant select, insert, update on courier_deliveries to cellarhand_app;
grant select, insert, update, delete on courier_deliveries to cellarhand_system;

-- The sandbox's couriers: what a courier service would know. Without names and addresses.
create table sandbox_couriers (
  delivery_id text collate "C" primary key,
  stage text not null,
  plan text not null,
  next_at timestamptz,
  packages integer not null,
  picked_up_at timestamptz,
  created_at timestamptz not null default now()
);
create index sandbox_couriers_due on sandbox_couriers (next_at) where next_at is not null;
grant select, insert, update, delete on sandbox_couriers to cellarhand_system;
