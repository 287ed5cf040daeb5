import type { Database } from '#platform/db/database.ts'
import { ProviderError } from '#platform/outside/provider-error.ts'
import { Refused } from '#platform/http/refuse.ts'
import { startWorker, type Worker } from '#platform/jobs/worker.ts'
import { trackingPageOf, type Actor } from '#orders/public.ts'
import { findCarrierAccount } from './carrier-account.ts'
import { settlePurchase } from './commands/settle-purchase.ts'
import { finishVoid, voidAll } from './commands/void-labels.ts'
import {
  labelBooks,
  leaseSeconds,
  listLabelsOf,
  type Purchase,
  type PurchaseState,
} from './label-purchases.ts'
import type { ShippingProvider } from './shipping-port.ts'

export interface SettlerDeps {
  readonly db: Database
  readonly provider: ShippingProvider | undefined
  readonly onChange: () => void
  readonly onError: (error: unknown) => void
}

const pollMs = 5_000
/** A purchase that the provider does not know of by then was never made. */
const certainAfterMs = 120_000
const againAfterErrorSeconds = 60

/** Finds out what became of purchases whose answer was lost, or whose process died, and gives back what nobody uses. */
export function startLabelSettler(deps: SettlerDeps): Worker {
  return startWorker({ work: () => settleDue(deps), everyMs: pollMs, onError: deps.onError })
}

async function settleDue({ db, provider, onChange, onError }: SettlerDeps): Promise<void> {
  if (provider === undefined) return
  for (const purchase of await claim(db, provider.name)) {
    await settle(db, provider, purchase).catch(async (error: unknown) => {
      if (!(error instanceof ProviderError)) onError(error)
      await postpone(db, purchase)
    })
    onChange()
  }
}

interface ClaimedRow {
  merchant_id: string
  purchase_id: string
  order_id: string
  state: PurchaseState
  actor: string
  attempt: number
  created_at: Date
}

/** A label that was under way when its purchase was given up is bought all the same, and of no use. */
async function claim(db: Database, provider: string): Promise<Purchase[]> {
  const rows = await db.systemQuery<ClaimedRow>(
    `update label_purchases p set attempt = p.attempt + 1, lease_until = now() + make_interval(secs => ${leaseSeconds})
     from (
       select merchant_id, purchase_id from label_purchases due
       where lease_until <= now() and provider = $1
         and (state in ('running', 'in_doubt', 'voiding')
           or (state = 'failed' and exists (
             select from shipping_labels l
             where l.merchant_id = due.merchant_id and l.purchase_id = due.purchase_id and l.state in ('to_void', 'bought'))))
       order by lease_until limit 10 for update skip locked
     ) due
     where p.merchant_id = due.merchant_id and p.purchase_id = due.purchase_id
     returning p.merchant_id, p.purchase_id, p.order_id, p.state, case when p.state = 'voiding' then coalesce(p.voider, p.actor) else p.actor end as actor, p.attempt, p.created_at`,
    [provider],
  )
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    purchaseId: row.purchase_id,
    orderId: row.order_id,
    state: row.state,
    actor: JSON.parse(row.actor) as Actor,
    attempt: row.attempt,
    idempotencyKey: null,
    requestHash: null,
    createdAt: row.created_at,
  }))
}

async function settle(db: Database, provider: ShippingProvider, purchase: Purchase): Promise<void> {
  if (purchase.state === 'failed') return voidAll({ db, provider }, purchase)
  if (purchase.state === 'voiding') {
    await voidAll({ db, provider }, purchase)
    await db.write(purchase.merchantId, (statements) => finishVoid(statements, purchase))
    return
  }
  await findLabels(db, provider, purchase)
  if (!(await isOfUse(db, purchase))) await voidAll({ db, provider }, purchase)
}

/** False when what was bought is to be given back, because a box is missing or the order went another way. */
async function isOfUse(db: Database, purchase: Purchase): Promise<boolean> {
  try {
    return (await settlePurchase(db, purchase)).kind !== 'failed'
  } catch (error) {
    if (error instanceof Refused) return false
    throw error
  }
}

/** Asks the provider for each label that was being bought. Nothing is bought here. */
async function findLabels(db: Database, provider: ShippingProvider, purchase: Purchase): Promise<void> {
  const books = labelBooks(db, purchase)
  const [labels, account] = await db.read(purchase.merchantId, (statements) =>
    Promise.all([listLabelsOf(statements, purchase), findCarrierAccount(statements, purchase.merchantId)]),
  )
  const paper = { format: account?.label_format ?? 'PDF', size: account?.label_size ?? '4x6' } as const
  for (const { box, state, shipment, buyingSince } of labels) {
    if (state !== 'buying' || shipment === null) continue
    const found = await provider.find(shipment, paper)
    if (typeof found !== 'string')
      await books.bought(box, {
        label: found,
        trackingUrl: trackingPageOf(found.carrier, found.trackingCode),
      })
    else if (found === 'not_bought' && Date.now() - (buyingSince?.getTime() ?? 0) > certainAfterMs)
      await books.notBought(box)
  }
}

async function postpone(db: Database, { merchantId, purchaseId, attempt }: Purchase): Promise<void> {
  await db.systemQuery(
    `update label_purchases set lease_until = now() + make_interval(secs => $4)
     where merchant_id = $1 and purchase_id = $2 and attempt = $3`,
    [merchantId, purchaseId, attempt, againAfterErrorSeconds],
  )
}
