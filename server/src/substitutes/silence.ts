import { isOpen } from '#platform/db/closed-merchant.ts'
import type { Database } from '#platform/db/database.ts'
import { startWorker, type Worker } from '#platform/jobs/worker.ts'
import { endSilence } from './commands/end-offer.ts'

const lookEveryMs = 2_000
const atOnce = 50

/** Of a message that left late, the customer had too little of the time. */
const inTime = (leftAt: string) => `${leftAt} <= o.until_at - (o.until_at - o.created_at) / 2`

/** A text message is told of by its service, a mail by the server that took it, or that sent it back. */
const isTold = `case when mail_id is null
  then coalesce(${inTime('told_at')}, false) and not exists (
    select from text_messages t
    where t.merchant_id = o.merchant_id and t.message_id = o.offer_id and t.state = 'failed')
  else exists (
    select from outgoing_mails m where m.mail_id = o.mail_id and ${inTime('m.sent_at')} and m.bounced_at is null)
  end`

interface Row {
  readonly merchant_id: string
  readonly order_id: string
  readonly offer_id: string
  readonly is_told: boolean
}

interface SilenceDeps {
  readonly db: Database
  /** Called after a change of an order. */
  readonly onChange: () => void
  readonly onError: (error: unknown) => void
}

/** Ends the offers whose time is over. Several processes look; the one that holds the order's row ends the offer. */
export function startSilence({ db, onChange, onError }: SilenceDeps): Worker {
  return startWorker({
    clock: db.clock,
    everyMs: lookEveryMs,
    onError,
    async work(isStopping) {
      const rows = await db.systemQuery<Row>(
        `select merchant_id, order_id, offer_id, ${isTold} as is_told from substitute_offers o
         where state = 'offered' and until_at <= now() and ${isOpen('merchant_id')} order by until_at limit ${atOnce}`,
      )
      for (const { merchant_id: merchantId, ...row } of rows) {
        if (isStopping()) return
        const overdue = { merchantId, orderId: row.order_id, offerId: row.offer_id, isTold: row.is_told }
        // One that fails keeps no other waiting.
        const isChanged = await db
          .write(merchantId, (statements) => endSilence(statements, overdue))
          .catch((error: unknown) => {
            onError(error)
            return false
          })
        if (isChanged) onChange()
      }
    },
  })
}
