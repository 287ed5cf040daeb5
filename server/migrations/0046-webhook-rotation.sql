-- The secret before the present one, which signs beside it until the receiver has taken over the new one.
alter table webhook_endpoint
  add column if not exists previous_secret_sealed text,
  add column if not exists previous_secret_until timestamptz;
