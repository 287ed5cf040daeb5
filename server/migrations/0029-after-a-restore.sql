-- A number that goes back with a backup would give an event's id a second time, with other content. Events from before
-- have none of their own and keep the id that they were sent under.
alter table outbox add column webhook_id text;
alter table outbox alter column webhook_id set default 'evt_' || gen_random_uuid();

-- Set by a restore: nothing is sent until the operator has looked.
alter table webhook_endpoint add column held_at timestamptz;

-- The version that the next change of an order has at the least. A restore sets it beyond all that were ever told.
alter table merchants add column least_version integer not null default 1;
