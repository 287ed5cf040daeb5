-- Set by a restore: nothing is sent until the operator has looked.
alter table webhook_endpoint add column held_at timestamptz;
