-- Stored replies lie in parts of a week each, so that old ones go by dropping a part (decision 0099). The table from
-- before becomes the first part, and ends with the week of its newest row. No row is copied. Beyond one part a key is unique by the lock
-- that each command takes on it.
create schema if not exists parts;
alter table idempotent_replies drop constraint idempotent_replies_pkey;
drop index idempotent_replies_by_age;
alter table idempotent_replies set schema parts;
alter table parts.idempotent_replies no force row level security;
alter table parts.idempotent_replies disable row level security;
revoke all on parts.idempotent_replies from cellarhand_app, cellarhand_system;

create table idempotent_replies (
  like parts.idempotent_replies including defaults,
  primary key (merchant_id, scope, idempotency_key, created_at)
) partition by range (created_at);
create table parts.idempotent_replies_rest partition of idempotent_replies default;
do $$
declare
  newest timestamptz := (select greatest(now(), max(created_at)) from parts.idempotent_replies);
begin
  execute format('alter table idempotent_replies attach partition parts.idempotent_replies for values from (minvalue) to (%L)',
    (date_trunc('week', newest at time zone 'UTC') + interval '7 days') at time zone 'UTC');
end
$$;

alter table idempotent_replies enable row level security;
alter table idempotent_replies force row level security;
create policy own_merchant on idempotent_replies to cellarhand_app using (merchant_id = (select current_merchant()));
create policy everything on idempotent_replies to cellarhand_system using (true) with check (true);
grant select, insert on idempotent_replies to cellarhand_app;
grant select, insert, update, delete on idempotent_replies to cellarhand_system;
