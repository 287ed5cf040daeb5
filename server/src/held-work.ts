import { endedByRestore } from './documents/public.ts'
import { releaseEvents } from './marketplace/public.ts'
import { isOpen } from './platform/db/closed-merchant.ts'
import type { Database } from './platform/db/database.ts'
import { releaseMails } from './platform/mail/outgoing.ts'

/** `release` leaves out what a merchant on its way to another cell, or there already, has left here. */
const isOpenHere = isOpen('merchant_id')

/** Whether a restore still holds back events from the marketplace. */
export async function isHeldBack(db: Database): Promise<boolean> {
  const rows = await db.systemQuery('select 1 from webhook_endpoint where held_at is not null')
  return rows.length > 0
}

/** The work that a restored shop holds back, and the open questions to its providers, as lines to read. */
export async function listHeld(db: Database): Promise<string[]> {
  const [counted] = await db.systemQuery<{ events: number; labels: number; couriers: number }>(
    `select
       (select count(*)::int from outbox where webhook_due_at is not null and webhook_done_at is null and ${isOpenHere}) as events,
       (select count(*)::int from label_purchases where state in ('running', 'in_doubt', 'voiding') and ${isOpenHere}) as labels,
       (select count(*)::int from courier_deliveries where state in ('asking', 'unknown') and ${isOpenHere}) as couriers`,
  )
  const mails = await db.systemQuery<{ recipient: string; subject: string; created_at: Date }>(
    `select recipient, subject, created_at from outgoing_mails
     where due_at = 'infinity' and sent_at is null and given_up_at is null and ${isOpenHere} order by created_at`,
  )
  const batches = await db.systemQuery<{
    merchant_id: string
    types: string
    orders: number
    created_at: Date
  }>(
    `select b.merchant_id, array_to_string(b.report_types, ', ') as types, count(*)::int as orders, b.created_at
     from batches b join batch_orders o using (merchant_id, batch_id)
     where o.error = $1 and ${isOpen('b.merchant_id')} group by b.merchant_id, b.batch_id order by b.created_at`,
    [endedByRestore],
  )
  const isHeld = await isHeldBack(db)
  return [
    isHeld
      ? `Events to the marketplace: ${counted?.events} wait, until: npm run admin -- release`
      : 'Events to the marketplace are not held back.',
    `Mails that waited when the backup was made, and may have left since: ${mails.length}`,
    ...mails.map((mail) => `  ${mail.created_at.toISOString()} to ${mail.recipient}: ${mail.subject}`),
    `Batches that the restore ended, whose orders may have been done since: ${batches.length}`,
    ...batches.map(
      (batch) =>
        `  ${batch.created_at.toISOString()} ${batch.merchant_id}: ${batch.types} of ${batch.orders} orders`,
    ),
    `Asked for at the providers, never again bought or requested: ${counted?.labels} label purchases, ${counted?.couriers} couriers`,
  ]
}

export async function releaseHeld(db: Database, { withMails }: { withMails: boolean }): Promise<string[]> {
  return db.system(async (statements) => {
    await releaseEvents(statements)
    const mails = await releaseMails(statements, { isDropped: !withMails })
    return [
      'Events go to the marketplace now.',
      `Mails ${withMails ? 'that are sent now' : 'dropped'}: ${mails}.`,
      'The banner on every dashboard stays until: npm run admin -- publish-content --name merchant_dashboard_news --off',
    ]
  })
}
