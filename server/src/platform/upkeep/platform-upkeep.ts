import { isOpen } from '../db/closed-merchant.ts'
import { leaseEnd } from '../jobs/claim.ts'
import { mailsPurpose } from '../mail/outgoing.ts'
import { merchantSecretsPurpose } from '../outside/merchant-secrets.ts'
import type { Upkeep } from './upkeep.ts'

/** By a process that took the row, for the length of its lease. */
const isHeld = (due: string) => `${due} between now() and ${leaseEnd}`

export const platformUpkeep: Upkeep = {
  sweeps: [
    { table: 'rate_limits', key: 'limit_key', which: 'resets_at < now()' },
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
  ],
  divisions: [
    { table: 'idempotent_replies', at: 'created_at', keptDays: 7 },
    // The newest event stays: from its position, a dashboard that resumes learns that it has missed something.
    {
      table: 'outbox',
      at: 'occurred_at',
      keptDays: 7,
      staying: [
        'position is null',
        'position = (select max(position) from outbox)',
        // The receiver of a merchant that has moved away hears of it from the new cell.
        `webhook_done_at is null and webhook_due_at is not null and ${isOpen('merchant_id')}
          and exists (select from webhook_endpoint where disabled_at is null)`,
      ],
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
  stays: [
    'demo_state',
    'last_backup',
    'live_state',
    'merchant_moves',
    'outbox_publisher',
    'provider_events',
    'provider_health',
    'rate_limits',
    'received_events',
  ],
  underWay: [
    'select from outbox where merchant_id = $1 and (position is null or (webhook_is_leased and webhook_due_at > now()))',
    `select from jobs where merchant_id = $1 and fence > 0 and ${isHeld('due_at')}`,
    `select from outgoing_mails where merchant_id = $1 and attempts > 0 and sent_at is null and given_up_at is null and ${isHeld('due_at')}`,
  ],
  /** The number of an event is this database's own: an id that came from it has to go along. */
  async beforeLeaving({ query }, merchantId) {
    await query(
      `update outbox set webhook_id = 'evt_' || event_id where merchant_id = $1 and webhook_id is null`,
      [merchantId],
    )
  },
  /** Positions are this database's own, one publisher at a time. Events that were delivered stay so. */
  async afterArrival({ query }, merchantId) {
    const [twice] = await query<{ webhook_id: string }>(
      `select own.webhook_id from outbox own join outbox other on other.merchant_id <> $1
         and coalesce(other.webhook_id, 'evt_' || other.event_id) = own.webhook_id
       where own.merchant_id = $1 limit 1`,
      [merchantId],
    )
    if (twice !== undefined) return `There is an event "${twice.webhook_id}" of another merchant here.`
    await query('select from outbox_publisher for update')
    await query(
      `with ordered as materialized (
         select event_id from outbox where merchant_id = $1 and position is not null order by position
       ), numbered as materialized (
         select event_id, nextval('outbox_positions') as position from ordered
       )
       update outbox o set position = n.position from numbered n where o.merchant_id = $1 and o.event_id = n.event_id`,
      [merchantId],
    )
    return undefined
  },
  async afterRestore({ query }) {
    await query(`update outgoing_mails set due_at = 'infinity' where sent_at is null and given_up_at is null`)
    await query('delete from jobs')
  },
}
