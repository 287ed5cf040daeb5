-- The people who are told when new orders wait and no screen of the shop watches. `duty` and `owner` are JSON of the
-- contract's settings. A case begins when the person on duty is told, and ends when a screen watches again.
create table watches (
  merchant_id text not null primary key,
  is_on boolean not null,
  duty text,
  owner text,
  -- Nobody's absence before this counts: the last change of the settings.
  since_at timestamptz(3) not null default now(),
  watched_at timestamptz(3),
  duty_told_at timestamptz(3),
  owner_told_at timestamptz(3)
);
-- The screens that were live and awake a short time ago.
create table watch_screens (
  merchant_id text not null,
  user_id text not null,
  screen text not null,
  kind text not null,
  seen_at timestamptz(3) not null default now(),
  primary key (merchant_id, user_id, screen)
);
create index watch_screens_by_age on watch_screens (seen_at);
-- Text messages to the people of a watch. If one cannot be sent, a mail takes its place.
create table watch_texts (
  merchant_id text not null,
  text_id text not null,
  step text not null,
  user_id text not null,
  number text not null,
  waiting integer not null,
  attempts integer not null default 0,
  due_at timestamptz(3) not null default now(),
  created_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  error text,
  primary key (merchant_id, text_id)
);
create index watch_texts_due on watch_texts (due_at) where ended_at is null;
create index watch_texts_by_age on watch_texts (created_at);

do $$
declare name text;
begin
  foreach name in array array['watches', 'watch_screens', 'watch_texts'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy own_merchant on %I to cellarhand_app using (merchant_id = (select current_merchant()))', name);
    execute format('create policy everything on %I to cellarhand_system using (true) with check (true)', name);
    execute format('grant select, insert, update, delete on %I to cellarhand_system', name);
  end loop;
end
$$;
grant select, insert, update on watches, watch_screens to cellarhand_app;
