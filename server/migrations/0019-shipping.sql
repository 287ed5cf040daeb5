-- A merchant's account with a parcel carrier. The number itself lies sealed in merchant_secrets.
create table carrier_accounts (
  merchant_id text not null references merchants,
  carrier text not null,
  account_number_last_4 text not null,
  account_zip text not null,
  label_size text not null,
  label_format text not null,
  provider text not null,
  -- The provider's own name of the account.
  provider_account text not null,
  connected_at timestamptz not null default now(),
  primary key (merchant_id)
);

-- One press on PRINT. The row is written before anything is asked of the provider, so that a purchase whose answer
-- was lost is found again. Whoever works on it holds it until lease_until; `attempt` tells a later holder from an earlier.
create table label_purchases (
  merchant_id text not null references merchants,
  purchase_id uuid not null,
  order_id text collate "C" not null,
  -- running, in_doubt, bought, failed, voiding, voided
  state text not null,
  provider text not null,
  provider_account text not null,
  actor json not null,
  voider json,
  idempotency_key text,
  request_hash text,
  attempt integer not null default 1,
  lease_until timestamptz not null,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (merchant_id, purchase_id)
);
create unique index one_live_purchase on label_purchases (merchant_id, order_id)
  where state in ('running', 'in_doubt', 'bought', 'voiding');
create index purchases_to_settle on label_purchases (lease_until)
  where state in ('running', 'in_doubt', 'voiding', 'failed');

create table shipping_labels (
  merchant_id text not null references merchants,
  purchase_id uuid not null,
  box integer not null,
  order_id text collate "C" not null,
  -- planned, quoted, buying, bought, to_void, voided, kept (the carrier would not take it back)
  state text not null default 'planned',
  weight numeric(9, 2) not null,
  insurance numeric(9, 2) not null,
  -- The provider's own names of the shipment and of the rate that is bought.
  shipment text collate "C",
  rate text collate "C",
  buying_since timestamptz,
  carrier text,
  tracking_code text collate "C",
  tracking_url text,
  bought_at timestamptz,
  -- What the carrier said of the parcel last; events may arrive in any order.
  progress text,
  primary key (merchant_id, purchase_id, box),
  foreign key (merchant_id, purchase_id) references label_purchases
);
create index labels_of_order on shipping_labels (merchant_id, order_id);
create index labels_by_tracking on shipping_labels (tracking_code, merchant_id) where state = 'bought';

create table label_files (
  merchant_id text not null references merchants,
  purchase_id uuid not null,
  box integer not null,
  media_type text not null,
  bytes bytea not null,
  primary key (merchant_id, purchase_id, box)
);

do $$
declare name text;
begin
  foreach name in array array['carrier_accounts', 'label_purchases', 'shipping_labels', 'label_files'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy own_merchant on %I to cellarhand_app using (merchant_id = (select current_merchant()))', name);
    execute format('create policy everything on %I to cellarhand_system using (true) with check (true)', name);
    execute format('grant select, insert, update, delete on %I to cellarhand_system', name);
  end loop;
end
$$;
grant select, insert, delete on carrier_accounts to cellarhand_app;
grant update (carrier, account_number_last_4, account_zip, label_size, label_format, provider, provider_account, connected_at)
  on carrier_accounts to cellarhand_app;
grant select, insert on label_purchases, shipping_labels, label_files to cellarhand_app;
grant update (state, voider, attempt, lease_until, finished_at) on label_purchases to cellarhand_app;
grant update (state, shipment, rate, buying_since, carrier, tracking_code, tracking_url, bought_at, progress)
  on shipping_labels to cellarhand_app;

-- Events of providers that were taken, so that a repetition changes nothing.
create table provider_events (
  provider text not null,
  event_id text collate "C" not null,
  received_at timestamptz not null default now(),
  primary key (provider, event_id)
);
grant select, insert, delete on provider_events to cellarhand_system;

-- The sandbox carrier's own books: what a real provider would keep on its side.
create table sandbox_parcels (
  shipment text collate "C" primary key,
  carrier text not null,
  refusal text,
  tracking_code text collate "C" unique,
  -- quoted, bought, refunded
  state text not null default 'quoted',
  label json,
  steps_reported integer not null default 0,
  bought_at timestamptz,
  created_at timestamptz not null default now()
);
create index sandbox_parcels_under_way on sandbox_parcels (bought_at) where state = 'bought' and steps_reported < 3;
grant select, insert, update, delete on sandbox_parcels to cellarhand_system;
