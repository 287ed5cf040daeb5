-- A number that goes back with a backup would give an event's id a second time, with other content. Events from before
-- have none of their own and keep the id that they were sent under.
alter table outbox add column webhook_id text;
alter table outbox alter column webhook_id set default 'evt_' || gen_random_uuid();
