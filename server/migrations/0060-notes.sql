-- What the people of a shop write to each other: on an order, or for the next shift (then without an order's number).
-- The marketplace never receives it, so it is no part of an order's document or history, and makes no event.
create table notes (
  merchant_id text not null,
  order_id text collate "C" not null default '',
  note_id text collate "C" not null,
  author_id text not null,
  author text not null,
  words text not null,
  written_at timestamptz(3) not null default now(),
  primary key (merchant_id, order_id, note_id)
);
-- Grows with each change of a merchant's notes: the screens ask again when it does. Its row also is the lock under which
-- notes are counted.
create table note_changes (
  merchant_id text not null primary key,
  changes bigint not null default 1
);

do $$
declare name text;
begin
  foreach name in array array['notes', 'note_changes'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy own_merchant on %I to cellarhand_app using (merchant_id = (select current_merchant()))', name);
    execute format('create policy everything on %I to cellarhand_system using (true) with check (true)', name);
    execute format('grant select, insert, update, delete on %I to cellarhand_system', name);
  end loop;
end
$$;
grant select, insert, delete on notes to cellarhand_app;
grant select, insert, update on note_changes to cellarhand_app;
