import { isOpen } from '#platform/db/closed-merchant.ts'
import type { Database } from '#platform/db/database.ts'
import { startWorker, type Worker } from '#platform/jobs/worker.ts'
import { endSilence } from './commands/end-offer.ts'

const lookEveryMs = 2_000
const atOnce = 50

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
      const rows = await db.systemQuery<{ merchant_id: string; order_id: string; offer_id: string }>(
        `select merchant_id, order_id, offer_id from substitute_offers
         where state = 'offered' and until_at <= now() and ${isOpen('merchant_id')} order by until_at limit ${atOnce}`,
      )
      for (const { merchant_id: merchantId, order_id: orderId, offer_id: offerId } of rows) {
        if (isStopping()) return
        const key = { merchantId, orderId, offerId }
        // One that fails keeps no other waiting.
        const isChanged = await db
          .write(merchantId, (statements) => endSilence(statements, key))
          .catch((error: unknown) => {
            onError(error)
            return false
          })
        if (isChanged) onChange()
      }
    },
  })
}
