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
