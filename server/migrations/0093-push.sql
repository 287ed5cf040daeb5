-- Push messages to the devices of a shop's people. Each shop signs with a key pair of its own, made at the first use.
create table push_keys (
  merchant_id text not null primary key,
  public_key text not null,
  private_sealed text not null,
  created_at timestamptz(3) not null default now()
);
create table push_devices (
  merchant_id text not null,
  device_id text not null,
  user_id text not null,
  -- The session in which the device was switched on: its end ends the messages too.
  session_id text not null,
  name text,
  -- Finds the device again; the address itself opens a way to the device, and is sealed with its keys.
  endpoint_digest text not null,
  subscription_sealed text not null,
  due_orders boolean not null,
  created_at timestamptz(3) not null default now(),
  -- The last time that its push service took a message, or that the person switched it on.
  alive_at timestamptz(3) not null default now(),
  primary key (merchant_id, device_id),
  unique (merchant_id, endpoint_digest)
);
create index push_devices_by_age on push_devices (alive_at);
-- The messages on their way. `content` is what the device shows.
create table push_messages (
  merchant_id text not null,
  message_id text not null,
  device_id text not null,
  topic text not null,
  content text not null,
  attempts integer not null default 0,
  due_at timestamptz(3) not null default now(),
  created_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  error text,
  primary key (merchant_id, message_id)
);
create index push_messages_due on push_messages (due_at) where ended_at is null;
create index push_messages_by_age on push_messages (created_at);

do $$
declare name text;
begin
  foreach name in array array['push_keys', 'push_devices', 'push_messages'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy own_merchant on %I to cellarhand_app using (merchant_id = (select current_merchant()))', name);
    execute format('create policy everything on %I to cellarhand_system using (true) with check (true)', name);
    execute format('grant select, insert, update, delete on %I to cellarhand_system', name);
  end loop;
end
$$;
grant select, insert on push_keys to cellarhand_app;
grant select, delete on push_devices to cellarhand_app;
