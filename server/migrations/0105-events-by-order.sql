-- The sender of webhooks finds each merchant's oldest event that is due, and each order's earliest one, without passing
-- over the hundred thousand events of another merchant or order. Both indexes hold only events that wait. On a large
-- installation build the same indexes on each part beforehand, with "concurrently"; these statements then adopt them.
create index if not exists outbox_webhooks_of_merchant on outbox (merchant_id, webhook_due_at, event_id)
  where webhook_done_at is null and webhook_due_at is not null;
create index if not exists outbox_webhooks_of_order on outbox (merchant_id, (coalesce(payload ->> 'id', event_id::text)), event_id)
  where webhook_done_at is null and webhook_due_at is not null;
