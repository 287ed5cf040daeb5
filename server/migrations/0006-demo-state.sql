-- When the demo was begun and finished. Its dates are reckoned from the beginning, so that a start that takes up
-- a half-made demo makes the same orders and not other ones.
create table demo_state (
  only_row boolean primary key default true check (only_row),
  begun_at timestamptz(3) not null default now(),
  finished_at timestamptz(3)
);
grant select, insert, update on demo_state to cellarhand_system;
