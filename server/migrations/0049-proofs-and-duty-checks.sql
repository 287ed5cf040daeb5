-- The proof of a delivery by courier. The courier services forget it after a month, and a shop has to keep it for years.
create table courier_proofs (
  merchant_id text not null,
  order_id text collate "C" not null,
  attempt integer not null,
  delivered_at timestamptz not null default now(),
  -- When the service is asked for it next; null once it is whole, or once the service cannot have it any more.
  due_at timestamptz,
  -- The order needs a look since then.
  missed_at timestamptz,
  signed_by text,
  -- Null where the service does not say.
  is_id_checked boolean,
  media_type text,
  signature bytea,
  primary key (merchant_id, order_id, attempt)
);
create index courier_proofs_due on courier_proofs (due_at) where due_at is not null;
alter table courier_proofs enable row level security;
alter table courier_proofs force row level security;
create policy own_merchant on courier_proofs to cellarhand_app using (merchant_id = (select current_merchant()));
create policy everything on courier_proofs to cellarhand_system using (true) with check (true);
grant select, insert, update on courier_proofs to cellarhand_app;
grant select, insert, update, delete on courier_proofs to cellarhand_system;

-- The shop's day on which its open orders were last asked by the rules, and where its bottles came from that day.
-- A shop without a row is asked with the next sweep.
create table duty_checks (
  merchant_id text primary key,
  asked_on date not null,
  shop_state text
);
alter table duty_checks enable row level security;
alter table duty_checks force row level security;
create policy own_merchant on duty_checks to cellarhand_app using (merchant_id = (select current_merchant()));
create policy everything on duty_checks to cellarhand_system using (true) with check (true);
grant select, insert, update on duty_checks to cellarhand_app;
grant select, insert, update, delete on duty_checks to cellarhand_system;
