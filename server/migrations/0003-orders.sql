create sequence order_numbers start 1000001;

-- One row per order. `document` is the order as it goes over the wire, built when the order changes and passed
-- through as text when it is read; the columns beside it are what lists filter, sort and count by.
create table orders (
  merchant_id text not null references merchants,
  order_id text collate "C" not null,
  order_key text collate "C" not null,
  status text not null,
  tab text not null,
  display_group text not null,
  delivery_method text not null,
  application_ref text not null,
  submitted_at timestamptz(3) not null,
  deadline_at timestamptz(3) not null,
  shipped_at timestamptz,
  version integer not null,
  document json not null,
  primary key (merchant_id, order_id),
  unique (merchant_id, order_key)
);
-- Keeps a usual document in the row itself, uncompressed: a page is then 30 rows and nothing else.
alter table orders set (toast_tuple_target = 8160, fillfactor = 85);
alter table orders alter column document set storage external;

create index orders_by_date on orders (merchant_id, tab, submitted_at, order_id);
create index orders_by_group on orders (merchant_id, tab, display_group, submitted_at, order_id);
create index orders_by_method on orders (merchant_id, tab, delivery_method, submitted_at, order_id);
create index orders_by_application on orders (merchant_id, tab, application_ref, submitted_at, order_id);
create index orders_of_all_tabs on orders (merchant_id, submitted_at, order_id);
create index orders_by_deadline on orders (merchant_id, deadline_at) where tab = 'active' and display_group <> 'shipped';
create index orders_by_number on orders (order_id);
create index orders_to_close on orders (shipped_at) where status = 'MERCHANT_SHIPPED';

-- Written once per order: a status change then never touches the expensive trigram indexes.
create table order_search (
  merchant_id text not null,
  order_id text collate "C" not null,
  submitted_at timestamptz(3) not null,
  names text not null,
  email text not null,
  primary key (merchant_id, order_id)
);
create index order_search_by_date on order_search (merchant_id, submitted_at desc, order_id desc) include (names, email);
create index order_search_names on order_search using gin (names gin_trgm_ops) with (fastupdate = off);
create index order_search_email on order_search using gin (email gin_trgm_ops) with (fastupdate = off);

-- How many orders stand where. Every count and every total of the list is a sum over these few rows. `changes` only
-- ever grows: as long as a merchant's sum of it is the same, so are the counts, and a reader need not fetch them again.
create table order_counts (
  merchant_id text not null,
  tab text not null,
  display_group text not null,
  delivery_method text not null,
  application_ref text not null,
  n integer not null,
  changes bigint not null default 1,
  primary key (merchant_id, tab, display_group, delivery_method, application_ref)
);

create table applications (
  merchant_id text not null,
  application_ref text not null,
  name text not null,
  brand_name text,
  primary key (merchant_id, application_ref)
);

-- What happened to an order, one row per version of it.
create table order_history (
  merchant_id text not null,
  order_id text collate "C" not null,
  version integer not null,
  at timestamptz(3) not null default now(),
  action text not null,
  from_status text,
  to_status text not null,
  actor_kind text not null,
  actor_id text,
  actor_name text not null,
  comment text,
  details json,
  primary key (merchant_id, order_id, version)
);

-- Events, written by the transaction that caused them. `position` is given later, by one publisher at a time, so
-- that it never has a gap that fills up afterwards: a reader that has seen N has seen everything up to N.
create table outbox (
  merchant_id text not null,
  event_id bigint generated always as identity,
  position bigint,
  kind text not null,
  payload json not null,
  occurred_at timestamptz(3) not null default now(),
  webhook_attempts integer not null default 0,
  webhook_due_at timestamptz,
  webhook_done_at timestamptz,
  webhook_error text,
  primary key (merchant_id, event_id)
);
create sequence outbox_positions;
create index outbox_unpublished on outbox (event_id) where position is null;
create index outbox_by_position on outbox (position);
create index outbox_webhooks_due on outbox (webhook_due_at) where webhook_done_at is null and webhook_due_at is not null;
create table outbox_publisher (only_row boolean primary key default true check (only_row));
insert into outbox_publisher default values;

create table webhook_endpoint (
  only_row boolean primary key default true check (only_row),
  url text not null,
  secret_sealed text not null,
  registered_at timestamptz not null default now()
);

-- The first reply to a request that named an Idempotency-Key, kept to be given again.
create table idempotent_replies (
  merchant_id text not null,
  scope text not null,
  idempotency_key text not null,
  request_hash text not null,
  status integer not null,
  reply text not null,
  created_at timestamptz not null default now(),
  primary key (merchant_id, scope, idempotency_key)
);
create index idempotent_replies_by_age on idempotent_replies (created_at);

do $$
declare name text;
begin
  foreach name in array array['orders', 'order_search', 'order_counts', 'applications', 'order_history', 'outbox', 'idempotent_replies'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy own_merchant on %I to cellarhand_app using (merchant_id = (select current_merchant()))', name);
    execute format('create policy everything on %I to cellarhand_system using (true) with check (true)', name);
    execute format('grant select, insert, update, delete on %I to cellarhand_system', name);
  end loop;
end
$$;
grant select, insert, update on orders, order_counts, applications to cellarhand_app;
grant select, insert on order_history to cellarhand_app;
grant insert on order_search, outbox to cellarhand_app;
grant usage on sequence order_numbers, outbox_positions to cellarhand_app, cellarhand_system;
grant select, update on outbox_publisher to cellarhand_system;
grant select, insert, update, delete on webhook_endpoint to cellarhand_system;
grant select, insert on idempotent_replies to cellarhand_app;
