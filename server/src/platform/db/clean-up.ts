import type { Database } from './database.ts'

const batchSize = 5_000

/** Deletes rows past their use. Each statement takes at most one batch, so that no lock is held for long. */
const statements = {
  sessions: batch('sessions', 'session_id', 'expires_at < now()'),
  // Kept for a while: a link that is opened again can then say that it was used.
  one_time_tokens: batch('one_time_tokens', 'token_hash', "expires_at < now() - interval '7 days'"),
  known_networks: batch('known_networks', 'user_id, network_hash', "seen_at < now() - interval '90 days'"),
  rate_limits: batch('rate_limits', 'limit_key', 'resets_at < now()'),
  idempotent_replies: batch(
    'idempotent_replies',
    'merchant_id, scope, idempotency_key',
    "created_at < now() - interval '7 days'",
  ),
  received_events: batch('received_events', 'provider, event_id', "received_at < now() - interval '30 days'"),
  outgoing_mails: batch(
    'outgoing_mails',
    'mail_id',
    "created_at < now() - interval '7 days' and (sent_at is not null or given_up_at is not null)",
  ),
  order_alarms: batch('order_alarms', 'merchant_id, order_id, kind', "raised_at < now() - interval '7 days'"),
  order_presence: batch('order_presence', 'merchant_id, user_id, screen', 'expires_at < now()'),
  text_messages: batch('text_messages', 'merchant_id, message_id', "created_at < now() - interval '7 days'"),
  sandbox_texts: batch('sandbox_texts', 'message_id', "created_at < now() - interval '7 days'"),
  sandbox_couriers: batch(
    'sandbox_couriers',
    'delivery_id',
    "next_at is null and created_at < now() - interval '7 days'",
  ),
  // Only the oldest are checked, because only they can be due. The newest event stays: from its position, a dashboard
  // that resumes learns that it has missed something.
  outbox: `delete from outbox where (merchant_id, event_id) in (
    select merchant_id, event_id from (
      select merchant_id, event_id, position, occurred_at, webhook_due_at, webhook_done_at from outbox
      where position is not null order by position limit ${batchSize}
    ) oldest
    where occurred_at < now() - interval '7 days' and position < (select max(position) from outbox)
      and (webhook_due_at is null or webhook_done_at is not null
        or not exists (select from webhook_endpoint where disabled_at is null))
  ) returning 1`,
} as const

function batch(table: string, key: string, condition: string): string {
  return `delete from ${table} where (${key}) in (
    select ${key} from ${table} where ${condition} limit ${batchSize} for update skip locked
  ) returning 1`
}

/** Deletes expired rows and returns the number for each table. Several processes may run it at once. */
export async function cleanUp(
  db: Database,
  isStopping: () => boolean = () => false,
): Promise<Record<keyof typeof statements, number>> {
  const deleted = {
    sessions: 0,
    one_time_tokens: 0,
    known_networks: 0,
    rate_limits: 0,
    idempotent_replies: 0,
    received_events: 0,
    outgoing_mails: 0,
    order_alarms: 0,
    order_presence: 0,
    text_messages: 0,
    sandbox_texts: 0,
    sandbox_couriers: 0,
    outbox: 0,
  }
  for (const table of Object.keys(deleted) as (keyof typeof deleted)[]) {
    for (let count = batchSize; count === batchSize && !isStopping();) {
      count = (await db.systemQuery(statements[table])).length
      deleted[table] += count
    }
  }
  return deleted
}
