-- Views of the order list under a name: private to their maker, or shared by the team.
create table saved_views (
  merchant_id text not null,
  view_id text collate "C" not null,
  maker_id text not null,
  maker text not null,
  name text not null,
  search json not null,
  is_shared boolean not null,
  primary key (merchant_id, view_id)
);
-- The lock under which the views of a merchant are counted and named.
create table saved_view_locks (merchant_id text not null primary key);

do $$
declare name text;
begin
  foreach name in array array['saved_views', 'saved_view_locks'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy own_merchant on %I to cellarhand_app using (merchant_id = (select current_merchant()))', name);
    execute format('create policy everything on %I to cellarhand_system using (true) with check (true)', name);
    execute format('grant select, insert, update, delete on %I to cellarhand_system', name);
  end loop;
end
$$;
grant select, insert, update, delete on saved_views to cellarhand_app;
grant select, insert, update on saved_view_locks to cellarhand_app;
