-- When the nearly late and late orders of a merchant ring, by delivery method. Without a row none does.
create table alarm_rules (
  merchant_id text not null primary key,
  -- The JSON of the contract's `rules`.
  rules text not null,
  quiet_when_closed boolean not null,
  -- The last change of the rules: no earlier moment rings.
  since_at timestamptz(3) not null default now(),
  -- Up to here the moments of the deadlines have rung.
  looked_at timestamptz(3) not null default now(),
  look_at timestamptz(3) not null default now()
);
create index alarm_rules_to_look on alarm_rules (look_at);

alter table alarm_rules enable row level security;
alter table alarm_rules force row level security;
create policy own_merchant on alarm_rules to cellarhand_app using (merchant_id = (select current_merchant()));
create policy everything on alarm_rules to cellarhand_system using (true) with check (true);
grant select, insert, update on alarm_rules to cellarhand_app;
grant select, insert, update, delete on alarm_rules to cellarhand_system;
