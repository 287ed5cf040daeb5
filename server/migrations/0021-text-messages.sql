-- Text messages that somebody sent: written down before the service is asked, so that none is sent twice.
create table text_messages (
  merchant_id text not null references merchants,
  message_id text collate "C" not null,
  sent_by text not null,
  request_key text,
  number text not null,
  body text not null,
  service text not null,
  service_id text,
  -- sending, unknown (no answer came), sent, delivered, failed
  state text not null,
  error text,
  created_at timestamptz not null default now(),
  leased_until timestamptz not null,
  primary key (merchant_id, message_id)
);
create unique index text_messages_of_request on text_messages (merchant_id, sent_by, request_key);
create index text_messages_to on text_messages (merchant_id, number, created_at);
create index text_messages_by_age on text_messages (created_at);
alter table text_messages enable row level security;
alter table text_messages force row level security;
create policy own_merchant on text_messages to cellarhand_app using (merchant_id = (select current_merchant()));
create policy everything on text_messages to cellarhand_system using (true) with check (true);
grant select, insert, update on text_messages to cellarhand_app;
grant select, insert, update, delete on text_messages to cellarhand_system;

-- Phones whose owners want no more messages from our number, whichever merchant they came from.
create table text_opt_outs (
  number text primary key,
  said text not null,
  said_at timestamptz not null default now()
);
grant select, insert, update, delete on text_opt_outs to cellarhand_system;

-- The sandbox's phones: what the demo's outbox shows.
create table sandbox_texts (
  message_id text collate "C" primary key,
  number text not null,
  body text not null,
  created_at timestamptz not null default now()
);
grant select, insert, update, delete on sandbox_texts to cellarhand_system;
