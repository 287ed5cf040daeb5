-- What an owner has decided about a closing without the ID check that a rule asks for. A row stays: the newest counts, and
-- the others say what counted before. `duty_settings` had the last choice alone, without a name or a day; it goes one
-- release later.
create table closing_decisions (
  merchant_id text not null,
  decision_no integer not null,
  -- What counted before it. Null in a row that was taken over from duty_settings.
  was text,
  closing text not null,
  -- Given where the choice is milder than the one before.
  reason text,
  -- Both null in a row that was taken over: nobody kept the name.
  decided_by_id text,
  decided_by text,
  decided_at timestamptz not null default now(),
  primary key (merchant_id, decision_no)
);
alter table closing_decisions enable row level security;
alter table closing_decisions force row level security;
create policy own_merchant on closing_decisions to cellarhand_app using (merchant_id = (select current_merchant()));
create policy everything on closing_decisions to cellarhand_system using (true) with check (true);
grant select, insert on closing_decisions to cellarhand_app;
grant select, insert, update, delete on closing_decisions to cellarhand_system;
insert into closing_decisions (merchant_id, decision_no, closing) select merchant_id, 1, closing from duty_settings;
