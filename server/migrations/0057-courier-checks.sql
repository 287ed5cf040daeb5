-- An owner relies on the ID checks of a courier service that never tells their results. A row stays: the newest counts,
-- and the others say what counted before.
create table courier_checks (
  merchant_id text not null,
  service text collate "C" not null,
  decision_no integer not null,
  is_relied_on boolean not null,
  -- The agreement that an owner relies on, or why no longer.
  reason text not null,
  decided_by_id text not null,
  decided_by text not null,
  decided_at timestamptz not null default now(),
  primary key (merchant_id, service, decision_no)
);
alter table courier_checks enable row level security;
alter table courier_checks force row level security;
create policy own_merchant on courier_checks to cellarhand_app using (merchant_id = (select current_merchant()));
create policy everything on courier_checks to cellarhand_system using (true) with check (true);
grant select, insert on courier_checks to cellarhand_app;
grant select, insert, update, delete on courier_checks to cellarhand_system;
