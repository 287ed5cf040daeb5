-- The terms of service and the legacy bank-account form. Tax and account number are sealed in merchant_secrets.
create table billing_records (
  merchant_id text primary key references merchants,
  terms_accepted_at timestamptz,
  terms_accepted_by text,
  individual json,
  business json,
  descriptor text,
  routing_number text,
  account_number_last_4 text,
  changed_at timestamptz not null default now()
);
alter table billing_records enable row level security;
alter table billing_records force row level security;
create policy own_merchant on billing_records to cellarhand_app using (merchant_id = (select current_merchant()));
create policy everything on billing_records to cellarhand_system using (true) with check (true);
grant select, insert, update on billing_records to cellarhand_app;
grant select, insert, update, delete on billing_records to cellarhand_system;

-- What the payment provider last said of a merchant's account, and when it was read.
alter table merchants add column payment_status text;
alter table merchants add column payment_read_at timestamptz;
create unique index merchants_by_payment_account on merchants (merchant_account_id, merchant_id)
  where merchant_account_id is not null;

-- Accounts at the demo's own payment provider.
create table sandbox_payment_accounts (
  account_id text collate "C" primary key,
  merchant_id text not null,
  status text not null,
  link_token text collate "C" unique,
  link_expires_at timestamptz,
  return_url text
);
alter table sandbox_payment_accounts enable row level security;
alter table sandbox_payment_accounts force row level security;
create policy everything on sandbox_payment_accounts to cellarhand_system using (true) with check (true);
grant select, insert, update, delete on sandbox_payment_accounts to cellarhand_system;

-- Events of providers that were taken, so that one that comes twice is taken once.
create table received_events (
  provider text collate "C" not null,
  event_id text collate "C" not null,
  received_at timestamptz not null default now(),
  primary key (provider, event_id)
);
create index received_events_by_age on received_events (received_at);
grant select, insert, update, delete on received_events to cellarhand_system;
