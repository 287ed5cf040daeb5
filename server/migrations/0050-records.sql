-- Every text that a rule had here. `duty_rules` holds the newest alone, and an inspector asks what was in force on a day.
create table duty_rule_versions (
  rule_id text collate "C" not null,
  version_no integer not null,
  loaded_at timestamptz not null default now(),
  rule json not null,
  primary key (rule_id, version_no)
);
alter table duty_rule_versions enable row level security;
alter table duty_rule_versions force row level security;
create policy of_everybody on duty_rule_versions for select to cellarhand_app using (true);
create policy everything on duty_rule_versions to cellarhand_system using (true) with check (true);
grant select on duty_rule_versions to cellarhand_app;
grant select, insert on duty_rule_versions to cellarhand_system;
-- The first rules shipped on this day (0045), and none has changed since.
insert into duty_rule_versions (rule_id, version_no, loaded_at, rule)
select rule_id, 1, '2026-11-23 00:00Z', json_build_object('id', rule_id, 'country', country, 'state', state, 'kind', kind,
  'applies', applies, 'value', value, 'words', words, 'source', source, 'sure', sure, 'read_on', read_on,
  'valid_from', valid_from, 'valid_to', valid_to)
from duty_rules;

-- A rule that the operator has loaded stays as it is when a release ships another text of it.
alter table duty_rules add column is_own boolean not null default false;

-- The files that owners had made for an inspector. The row stays and says who had which days; its file goes after a day.
create table inspector_files (
  merchant_id text not null,
  file_id text collate "C" not null,
  from_day date not null,
  to_day date not null,
  requested_by_id text not null,
  requested_by text not null,
  requested_at timestamptz not null default now(),
  sales integer not null default 0,
  finished_at timestamptz,
  problem text,
  -- The file is stored in parts, so that none is ever whole in memory: their common name, and how many they are.
  parts_name text,
  parts integer not null default 0,
  primary key (merchant_id, file_id)
);
create index inspector_files_by_age on inspector_files (requested_at) where parts_name is not null;
alter table inspector_files enable row level security;
alter table inspector_files force row level security;
create policy own_merchant on inspector_files to cellarhand_app using (merchant_id = (select current_merchant()));
create policy everything on inspector_files to cellarhand_system using (true) with check (true);
grant select, insert on inspector_files to cellarhand_app;
grant update (sales) on inspector_files to cellarhand_app;
grant select, insert, update, delete on inspector_files to cellarhand_system;

-- What a rule made the desk record at an ID check (names, birth dates, addresses). A rule says when it goes.
create table age_check_fields (
  merchant_id text not null,
  order_id text collate "C" not null,
  checked_at timestamptz(3) not null,
  rule_id text not null,
  fields_sealed text not null,
  primary key (merchant_id, order_id, checked_at)
);
create index age_check_fields_by_age on age_check_fields (checked_at, merchant_id, order_id);
alter table age_check_fields enable row level security;
alter table age_check_fields force row level security;
create policy own_merchant on age_check_fields to cellarhand_app using (merchant_id = (select current_merchant()));
create policy everything on age_check_fields to cellarhand_system using (true) with check (true);
grant select, insert on age_check_fields to cellarhand_app;
grant select, insert, update, delete on age_check_fields to cellarhand_system;

-- What was purged, by which rule: ids and kinds, never what it held.
create table purged (
  merchant_id text not null,
  purge_no bigint generated always as identity,
  kind text not null,
  order_id text not null,
  recorded_at timestamptz not null,
  rule_id text not null,
  purged_at timestamptz not null default now(),
  primary key (merchant_id, purge_no)
);
alter table purged enable row level security;
alter table purged force row level security;
create policy own_merchant on purged to cellarhand_app using (merchant_id = (select current_merchant()));
create policy everything on purged to cellarhand_system using (true) with check (true);
grant select on purged to cellarhand_app;
grant select, insert, update, delete on purged to cellarhand_system;
