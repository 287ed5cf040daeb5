-- The rules of law and carriers, the same for every merchant: the data file that ships with the product writes them.
create table duty_rules (
  rule_id text collate "C" primary key,
  country text not null,
  -- Null is every state.
  state text,
  kind text not null,
  applies json not null,
  value json not null,
  words text not null,
  source text not null,
  sure text not null,
  read_on date not null,
  valid_from date,
  valid_to date
);
alter table duty_rules enable row level security;
alter table duty_rules force row level security;
create policy of_everybody on duty_rules for select to cellarhand_app using (true);
create policy everything on duty_rules to cellarhand_system using (true) with check (true);
grant select on duty_rules to cellarhand_app;
grant select, insert, update on duty_rules to cellarhand_system;

-- What an owner has decided about a rule. A row stays: the newest counts, and the others say what counted before.
create table duty_decisions (
  merchant_id text not null,
  rule_id text collate "C" not null,
  decision_no integer not null,
  decision text not null,
  applies json,
  value json,
  reason text,
  decided_by_id text not null,
  decided_by text not null,
  decided_at timestamptz not null default now(),
  primary key (merchant_id, rule_id, decision_no)
);
alter table duty_decisions enable row level security;
alter table duty_decisions force row level security;
create policy own_merchant on duty_decisions to cellarhand_app using (merchant_id = (select current_merchant()));
create policy everything on duty_decisions to cellarhand_system using (true) with check (true);
grant select, insert on duty_decisions to cellarhand_app;
grant select, insert, update, delete on duty_decisions to cellarhand_system;

create table duty_settings (
  merchant_id text primary key,
  closing text not null
);
alter table duty_settings enable row level security;
alter table duty_settings force row level security;
create policy own_merchant on duty_settings to cellarhand_app using (merchant_id = (select current_merchant()));
create policy everything on duty_settings to cellarhand_system using (true) with check (true);
grant select, insert on duty_settings to cellarhand_app;
grant update (closing) on duty_settings to cellarhand_app;
grant select, insert, update, delete on duty_settings to cellarhand_system;
-- A merchant of today goes on as it is used to; one without a row is newer and gets the newer default.
insert into duty_settings select merchant_id, 'recorded' from merchants;

alter table orders add column needs_look boolean not null default false;
-- Of a large table build it beforehand, concurrently and under this name.
create index if not exists orders_that_need_a_look on orders (merchant_id, submitted_at, order_id) where needs_look;
