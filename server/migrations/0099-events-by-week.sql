-- Events lie in parts of a week each, as the replies do (0098). The numbers go on after the last one, so nobody may add
-- an event meanwhile.
lock table outbox in access exclusive mode;
do $$
declare
  last_number bigint := (select last_value from outbox_event_id_seq);
  newest timestamptz := (select greatest(now(), max(occurred_at)) from outbox);
begin
  alter table outbox drop constraint outbox_pkey;
  alter table outbox alter column event_id drop identity;
  alter table outbox set schema parts;
  alter table parts.outbox no force row level security;
  alter table parts.outbox disable row level security;
  revoke all on parts.outbox from cellarhand_app, cellarhand_system;

  create table outbox (
    like parts.outbox including defaults,
    primary key (merchant_id, event_id, occurred_at)
  ) partition by range (occurred_at);
  alter table outbox alter column event_id add generated always as identity;
  perform setval(pg_get_serial_sequence('outbox', 'event_id'), last_number);
  create table parts.outbox_rest partition of outbox default;
  execute format('alter table outbox attach partition parts.outbox for values from (minvalue) to (%L)',
    (date_trunc('week', newest at time zone 'UTC') + interval '7 days') at time zone 'UTC');
end
$$;

create index outbox_unpublished on outbox (event_id) where position is null;
create index outbox_by_position on outbox (position);
create index outbox_webhooks_due on outbox (webhook_due_at) where webhook_done_at is null and webhook_due_at is not null;
create index outbox_webhooks_leased on outbox (webhook_due_at) where webhook_is_leased;
create index outbox_webhooks_given_up on outbox (position) where webhook_done_at is not null and webhook_error is not null;

alter table outbox enable row level security;
alter table outbox force row level security;
create policy own_merchant on outbox to cellarhand_app using (merchant_id = (select current_merchant()));
create policy everything on outbox to cellarhand_system using (true) with check (true);
grant insert on outbox to cellarhand_app;
grant select, insert, update, delete on outbox to cellarhand_system;
