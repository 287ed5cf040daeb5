-- Which order stands open on whose screen, for some seconds at a time. Unlogged: a crash may forget it, for the
-- screens say it again.
create unlogged table order_presence (
  merchant_id text not null,
  user_id text not null,
  screen text not null,
  order_id text collate "C" not null,
  name text not null,
  activity text not null,
  expires_at timestamptz not null,
  primary key (merchant_id, user_id, screen)
);
alter table order_presence set (fillfactor = 50);

alter table order_presence enable row level security;
alter table order_presence force row level security;
create policy own_merchant on order_presence to cellarhand_app using (merchant_id = (select current_merchant()));
create policy everything on order_presence to cellarhand_system using (true) with check (true);
grant select, insert, update, delete on order_presence to cellarhand_app, cellarhand_system;
