import { mailsPurpose } from '../mail/outgoing.ts'
import { merchantSecretsPurpose } from '../outside/merchant-secrets.ts'
import { sweptAtOnce, type Upkeep } from './upkeep.ts'

export const platformUpkeep: Upkeep = {
  sweeps: [
    { table: 'rate_limits', key: 'limit_key', which: 'resets_at < now()' },
    {
      table: 'idempotent_replies',
      key: 'merchant_id, scope, idempotency_key',
      which: "created_at < now() - interval '7 days'",
    },
    {
      table: 'received_events',
      key: 'provider, event_id',
      which: "received_at < now() - interval '30 days'",
    },
    {
      table: 'outgoing_mails',
      key: 'mail_id',
      which: "created_at < now() - interval '7 days' and (sent_at is not null or given_up_at is not null)",
    },
    // Only the oldest are checked, because only they can be due. The newest event stays: from its position, a dashboard
    // that resumes learns that it has missed something.
    {
      table: 'outbox',
      key: 'merchant_id, event_id',
      which: `(merchant_id, event_id) in (
        select merchant_id, event_id from (
          select merchant_id, event_id, position, occurred_at, webhook_due_at, webhook_done_at from outbox
          where position is not null order by position limit ${sweptAtOnce}
        ) oldest
        where occurred_at < now() - interval '7 days' and position < (select max(position) from outbox)
          and (webhook_due_at is null or webhook_done_at is not null
            or not exists (select from webhook_endpoint where disabled_at is null))
      )`,
    },
  ],
  sealedColumns: [
    {
      table: 'merchant_secrets',
      keys: ['merchant_id', 'name'],
      column: 'sealed',
      purpose: merchantSecretsPurpose,
    },
    { table: 'outgoing_mails', keys: ['mail_id'], column: 'letter_sealed', purpose: mailsPurpose },
  ],
  async afterRestore({ query }) {
    await query(`update outgoing_mails set due_at = 'infinity' where sent_at is null and given_up_at is null`)
    await query('delete from jobs')
  },
}
