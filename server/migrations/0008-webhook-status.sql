-- A receiver that answers 410 Gone is not called again until it is registered anew.
alter table webhook_endpoint add column disabled_at timestamptz, add column disabled_because text;
