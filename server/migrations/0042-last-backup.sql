-- When the last backup was finished, so that an old one can be noticed. It belongs to no merchant.
create table last_backup (
  is_only boolean primary key default true check (is_only),
  finished_at timestamptz not null
);
grant select, insert, update on last_backup to cellarhand_system;
