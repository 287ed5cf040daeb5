-- An event that is being sent is told from one that waits for its next try, so that of one order only one is under way.
alter table outbox
  add column webhook_is_leased boolean not null default false,
  -- Counts the takings. A process says how a try went only while the number is the one that it took the event with.
  add column webhook_fence bigint not null default 0,
  -- The receiver's Retry-After: it holds also when the receiver is well again.
  add column webhook_not_before timestamptz;
create index if not exists outbox_webhooks_leased on outbox (webhook_due_at) where webhook_is_leased;
-- Events that were tried for days and not taken. On a large installation build both indexes by hand beforehand.
create index if not exists outbox_webhooks_given_up on outbox (position) where webhook_done_at is not null and webhook_error is not null;
