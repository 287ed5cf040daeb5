-- When a server outside the demo first started on this database. From then on no demo starts on it, because everybody
-- knows the demo's secrets.
create table live_state (
  only_row boolean primary key default true check (only_row),
  since timestamptz(3) not null default now()
);
grant select, insert on live_state to cellarhand_system;
