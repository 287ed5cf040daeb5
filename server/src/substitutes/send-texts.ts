import type { SubstituteOffer } from '@cellarhand/contract/substitute-fields'
import { sendPromised, type TextService } from '#delivery/public.ts'
import type { Database } from '#platform/db/database.ts'
import { claim, fewestUnderWay, type DueTable } from '#platform/jobs/claim.ts'
import { startDueWork } from '#platform/jobs/due-work.ts'
import { errorText } from '#platform/jobs/error-text.ts'
import type { Worker } from '#platform/jobs/worker.ts'
import { promiseMail, type Stationery } from '#platform/mail/outgoing.ts'
import { failMessage } from './commands/end-offer.ts'
import { letterOf, textOf, type Asked } from './words.ts'

const atOnce = 5
/** The customer's minutes are running. */
const triesAtMost = 3
const pauseSeconds = 20

interface TextRow {
  readonly merchant_id: string
  readonly offer_id: string
  readonly order_id: string
  readonly offer: string
  readonly number: string
  readonly email: string | null
  readonly attempts: number
  readonly created_at: Date
}

const textsDue: DueTable<TextRow> = {
  table: 'substitute_offers',
  key: { merchant_id: 'text', offer_id: 'text' },
  due: 'text_due_at',
  fence: 'attempts',
  idOf: ({ merchant_id, offer_id, attempts }) => [merchant_id, offer_id, attempts],
}

export interface TextDeps {
  readonly db: Database
  readonly texts: TextService
  readonly stationery: Stationery
  readonly linkOf: (offerId: string) => string
  readonly onMail: () => void
  /** Called after a change of an order. */
  readonly onChange: () => void
  readonly onError: (error: unknown) => void
}

/** Sends the text messages of open offers; several processes share the work. */
export function startOfferTexts(deps: TextDeps): Worker {
  const { db, onError } = deps
  return startDueWork({
    db,
    table: textsDue,
    take: (free) =>
      claim<TextRow>({ query: db.systemQuery }, textsDue, {
        which: "text_due_at <= now() and state = 'offered'",
        first: fewestUnderWay(textsDue, 'text_due_at is not null'),
        limit: free,
        returning: 'merchant_id, offer_id, order_id, offer, number, email, attempts, created_at',
      }),
    run: (row) => sendOne(deps, row),
    atOnce,
    onError,
  })
}

async function sendOne(deps: TextDeps, row: TextRow): Promise<void> {
  const { db, linkOf } = deps
  const [shop] = await db.systemQuery<{ name: string; timezone: string }>(
    'select name, timezone from merchants where merchant_id = $1',
    [row.merchant_id],
  )
  const asked: Asked = {
    shop: shop?.name ?? '',
    timezone: shop?.timezone ?? 'UTC',
    orderId: row.order_id,
    offer: JSON.parse(row.offer) as SubstituteOffer,
    // The same words at every try: the service knows a message whose answer was lost by them.
    nowMs: row.created_at.getTime(),
    url: linkOf(row.offer_id),
  }
  const text = { messageId: row.offer_id, number: row.number, body: textOf(asked) }
  const sent = await sendPromised(deps, text, {
    merchantId: row.merchant_id,
    attempts: row.attempts,
    triesAtMost,
    createdAt: row.created_at,
  })
  if (sent.outcome === 'again') return tryLater(db, row, sent.error)
  if (sent.outcome === 'never') return tellOtherwise(deps, { row, asked })
  await db.systemQuery(
    `update substitute_offers set told_at = now(), text_due_at = null, error = null, number = null, email = null
     where merchant_id = $1 and offer_id = $2`,
    [row.merchant_id, row.offer_id],
  )
}

async function tryLater(db: Database, row: TextRow, error: unknown): Promise<void> {
  await db.systemQuery(
    `update substitute_offers set text_due_at = now() + make_interval(secs => $4), error = $5
     where merchant_id = $1 and offer_id = $2 and attempts = $3 and text_due_at is not null`,
    [row.merchant_id, row.offer_id, row.attempts, pauseSeconds, errorText(error)],
  )
}

/** By mail, if the order has an address; else the clerk reads that the customer was not reached. */
async function tellOtherwise(
  { db, stationery, onMail, onChange }: TextDeps,
  { row, asked }: { row: TextRow; asked: Asked },
): Promise<void> {
  const { merchant_id: merchantId, order_id: orderId, offer_id: offerId, email } = row
  if (email === null) {
    await db.write(merchantId, (statements) => failMessage(statements, { merchantId, orderId, offerId }))
    return onChange()
  }
  await db.write(merchantId, async (statements) => {
    const held = await statements.query(
      `select 1 from substitute_offers
       where merchant_id = $1 and offer_id = $2 and attempts = $3 and state = 'offered' and text_due_at is not null for update`,
      [merchantId, offerId, row.attempts],
    )
    if (held.length === 0) return
    const letter = letterOf(asked)
    const mailId = await promiseMail(statements, { recipient: email, merchantId, stationery }, letter)
    await statements.query(
      `update substitute_offers set mail_id = $3, text_due_at = null, number = null, email = null
       where merchant_id = $1 and offer_id = $2`,
      [merchantId, offerId, mailId],
    )
  })
  onMail()
}
