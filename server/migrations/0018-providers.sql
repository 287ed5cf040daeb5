-- How the last calls to each outside provider went. It belongs to no merchant and holds no personal data.
create table provider_health (
  provider text primary key,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  last_failure_kind text,
  last_failure_reason text,
  last_failure_request_id text,
  failures_in_a_row integer not null default 0
);
grant select, insert, update, delete on provider_health to cellarhand_system;

-- What a merchant's accounts at providers are opened with, encrypted by the application (platform/sealed-text.ts).
create table merchant_secrets (
  merchant_id text not null references merchants,
  name text collate "C" not null,
  sealed text not null,
  changed_at timestamptz not null default now(),
  primary key (merchant_id, name)
);
alter table merchant_secrets enable row level security;
alter table merchant_secrets force row level security;
create policy own_merchant on merchant_secrets to cellarhand_app using (merchant_id = (select current_merchant()));
create policy everything on merchant_secrets to cellarhand_system using (true) with check (true);
grant select, insert, update, delete on merchant_secrets to cellarhand_app, cellarhand_system;
