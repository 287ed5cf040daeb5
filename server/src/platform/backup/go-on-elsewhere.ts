import type pg from 'pg'
import type { Manifest } from './manifest.ts'

/** How far a restored shop goes on behind its backup, and how much farther for each second since that was made. */
const ahead = {
  /** Read out by people, so no longer than they must be. */
  orderNumbers: { atLeast: 1_000_000, perSecond: 10 },
  sequences: { atLeast: 1_000_000, perSecond: 1_000 },
  versions: { atLeast: 1_000, perSecond: 1 },
}

export const endedByRestore =
  'The desk was restored from a backup before this was finished. Please look at the order: it may be done already.'

/**
 * A backup knows nothing of what came after it, and others do. Whatever counts goes on where nobody has been: also a
 * second restore of the same backup is later than the first, and so farther on. And nothing that waited when the backup
 * was made goes out by itself, for it has probably gone out since.
 */
export async function goOnElsewhere(client: pg.Client, { made_at: madeAt }: Manifest): Promise<void> {
  const seconds = Math.max(0, (Date.now() - Date.parse(madeAt)) / 1000)
  const by = ({ atLeast, perSecond }: { atLeast: number; perSecond: number }) =>
    atLeast + Math.floor(perSecond * seconds)
  await client.query(
    `select setval(format('%I', sequencename)::regclass, coalesce(last_value, start_value)
       + case sequencename when 'order_numbers' then $1::bigint else $2::bigint end)
     from pg_sequences where schemaname = current_schema()`,
    [by(ahead.orderNumbers), by(ahead.sequences)],
  )
  // The rows of every merchant, also where the login itself is held by row-level security.
  await client.query('set local role cellarhand_system')
  // Moved along, so that a dashboard which has seen what is lost is behind the oldest, and loads anew.
  await client.query('update outbox set position = position + $1 where position is not null', [
    by(ahead.sequences),
  ])
  await client.query(
    `update merchants m set least_version = $1 + greatest(m.least_version,
       coalesce((select max(h.version) from order_history h where h.merchant_id = m.merchant_id), 1))`,
    [by(ahead.versions)],
  )
  for (const statement of [...signOut, ...holdBack]) await client.query(statement)
  await client.query(tellEverybody, [
    `This desk was restored from a backup. What happened after ${new Date(madeAt).toUTCString()} is missing.`,
    'Before you buy a label, ask for a courier, hand an order over or reject it: please check whether that was done already. ' +
      'Orders that came in since are sent again by the marketplace, under new numbers. ' +
      'Passwords, two-step sign-in and the team are as they were at that time.',
  ])
  await client.query('reset role')
}

/** Who signed out, lost a session or used a link since then did so for good. */
const signOut = [
  'update sessions set ended_at = now() where ended_at is null',
  'update one_time_tokens set used_at = now() where used_at is null',
]

const holdBack = [
  // Events wait, under the ids that they had, until the operator has looked.
  'update webhook_endpoint set held_at = now()',
  `update outgoing_mails set due_at = 'infinity' where sent_at is null and given_up_at is null`,
  // Batches would buy labels. Those that were under way are over, and whoever wants the rest asks again.
  `update batch_orders o set state = 'failed', error = '${endedByRestore}'
   from batches b where b.merchant_id = o.merchant_id and b.batch_id = o.batch_id and b.finished_at is null and o.state = 'waiting'`,
  'update batches set finished_at = now() where finished_at is null',
  'delete from batch_papers',
  'delete from jobs',
  // What had its price may have been bought since: it is asked for like a label whose answer was lost.
  `update shipping_labels l set state = 'buying', buying_since = now()
   from label_purchases p where p.merchant_id = l.merchant_id and p.purchase_id = l.purchase_id
     and p.state in ('running', 'in_doubt') and l.state = 'quoted' and l.shipment is not null`,
]

const tellEverybody = `insert into documents (name, notification_text, message, modal_title, notification_color)
  values ('merchant_dashboard_news', $1, $2, 'Restored from a backup', null)
  on conflict (name) do update set notification_text = excluded.notification_text, message = excluded.message,
    modal_title = excluded.modal_title, notification_color = excluded.notification_color, published_at = now()`
