import type pg from 'pg'
import type { Manifest } from './manifest.ts'

/**
 * The counters of a restored shop start from the time alone. So every restore starts beyond all numbers that were given
 * before it, even when it uses an older backup than the restore before. The rate must exceed a shop's own.
 */
const since = Date.UTC(2026, 10, 1)
const perSecond = {
  /** People read these out, so they stay short. */
  orderNumbers: 10,
  sequences: 100_000,
  /** An integer in the database: enough for 68 years. */
  versions: 1,
}
/** For a clock that was set back: the backup is then already beyond its time. */
const stepWithoutTime = 1_000_000

/** Beyond the backup's last number. */
function placeFor(last: number, rate: number, atMs: number): number {
  const place = 2_000_000 + Math.floor((rate * (atMs - since)) / 1000)
  return place > last ? place : last + stepWithoutTime
}

export const endedByRestore =
  'The desk was restored from a backup before this was finished. Please look at the order: it may be done already.'

/**
 * A backup does not know what happened after it, but others do. Every counter continues beyond the numbers that may be
 * in use. Nothing that waited at the backup goes out by itself, because it has probably gone out since.
 */
export async function goOnElsewhere(client: pg.Client, { made_at: madeAt }: Manifest): Promise<void> {
  const atMs = Math.max(Date.now(), Date.parse(madeAt))
  const { rows: sequences } = await client.query<{ name: string; last: number }>(
    `select sequencename as name, coalesce(last_value, start_value) as last
     from pg_sequences where schemaname = current_schema()`,
  )
  // As the system role: row-level security may hide merchants from the login.
  await client.query('set local role cellarhand_system')
  const moved = await moveEvents(client, sequences, atMs)
  await client.query(
    `update merchants m set least_version = case when told.last < $1 then $1 else told.last + 1000 end
     from (select n.merchant_id, greatest(n.least_version, max(h.version)) as last
       from merchants n left join order_history h using (merchant_id) group by n.merchant_id) told
     where told.merchant_id = m.merchant_id`,
    [Math.floor((perSecond.versions * (atMs - since)) / 1000)],
  )
  for (const statement of [...signOut, ...holdBack]) await client.query(statement)
  await client.query(tellEverybody, [
    `This desk was restored from a backup. What happened after ${new Date(madeAt).toUTCString()} is missing.`,
    'Before you buy a label, ask for a courier, hand an order over or reject it: please check whether that was done already. ' +
      'Orders that came in since are sent again by the marketplace, under new numbers. ' +
      'Passwords, two-step sign-in and the team are as they were at that time.',
  ])
  await client.query('reset role')
  for (const { name, last } of sequences) {
    const rate = name === 'order_numbers' ? perSecond.orderNumbers : perSecond.sequences
    const place = name === positions ? last + moved : placeFor(last, rate, atMs)
    await client.query(`select setval(format('%I', $1::text)::regclass, $2::bigint)`, [name, place])
  }
}

const positions = 'outbox_positions'

/** Moves the events so that every open dashboard is behind the oldest and reloads. Returns the distance. */
async function moveEvents(
  client: pg.Client,
  sequences: readonly { name: string; last: number }[],
  atMs: number,
): Promise<number> {
  const newest = sequences.find(({ name }) => name === positions)?.last ?? 0
  const { rows } = await client.query<{ oldest: number | null }>('select min(position) as oldest from outbox')
  const oldest = rows[0]?.oldest ?? newest
  const moved = placeFor(oldest, perSecond.sequences, atMs) - oldest
  await client.query('update outbox set position = position + $1 where position is not null', [moved])
  return moved
}

/** A sign-out, an ended session or a used link after the backup must stay final. */
const signOut = [
  'update sessions set ended_at = now() where ended_at is null',
  'update one_time_tokens set used_at = now() where used_at is null',
]

const holdBack = [
  // Events wait, under their old ids, until the operator has looked.
  'update webhook_endpoint set held_at = now()',
  `update outgoing_mails set due_at = 'infinity' where sent_at is null and given_up_at is null`,
  // Batches would buy labels. Those under way end here, and a clerk can ask for the rest again.
  `update batch_orders o set state = 'failed', error = '${endedByRestore}'
   from batches b where b.merchant_id = o.merchant_id and b.batch_id = o.batch_id and b.finished_at is null and o.state = 'waiting'`,
  'update batches set finished_at = now() where finished_at is null',
  'delete from batch_papers',
  'delete from jobs',
  // A label with a price may have been bought since, so it is checked like one whose answer was lost.
  `update shipping_labels l set state = 'buying', buying_since = now()
   from label_purchases p where p.merchant_id = l.merchant_id and p.purchase_id = l.purchase_id
     and p.state in ('running', 'in_doubt') and l.state = 'quoted' and l.shipment is not null`,
]

const tellEverybody = `insert into documents (name, notification_text, message, modal_title, notification_color)
  values ('merchant_dashboard_news', $1, $2, 'Restored from a backup', null)
  on conflict (name) do update set notification_text = excluded.notification_text, message = excluded.message,
    modal_title = excluded.modal_title, notification_color = excluded.notification_color, published_at = now()`
