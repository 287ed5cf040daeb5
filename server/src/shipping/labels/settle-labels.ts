import type { Database } from '#platform/db/database.ts'
import { inParallel } from '#platform/in-parallel.ts'
import { ProviderError } from '#platform/outside/provider-error.ts'
import { Refused } from '#platform/http/refuse.ts'
import { claim, fewestUnderWay, whileHolding, type Choice } from '#platform/jobs/claim.ts'
import { startDueWork } from '#platform/jobs/due-work.ts'
import type { Worker } from '#platform/jobs/worker.ts'
import { trackingPageOf, type Actor } from '#orders/public.ts'
import { findCarrierAccount } from '../account/carrier-account.ts'
import { settlePurchase, type Outside } from './settle-purchase.ts'
import { finishVoid, voidAll } from './void-labels.ts'
import { labelBooks, listLabelsOf, purchases, type Purchase, type PurchaseState } from './label-purchases.ts'
import type { ShippingProvider } from '../port/shipping-port.ts'

export interface SettlerDeps {
  readonly db: Database
  readonly provider: ShippingProvider | undefined
  readonly onChange: () => void
  readonly onError: (error: unknown) => void
}

const atOnce = 4
const againAfterErrorSeconds = 15

/** A label that was under way when its purchase was given up is bought all the same, and of no use. */
const isDue = `lease_until <= now() and (state in ('running', 'in_doubt', 'voiding')
  or (state = 'failed' and exists (
    select from shipping_labels l
    where l.merchant_id = due.merchant_id and l.purchase_id = due.purchase_id and l.state in ('to_void', 'bought'))))`

/** Finds the outcome of purchases whose answer or process was lost, and gives back labels that nobody uses. */
export function startLabelSettler(deps: SettlerDeps): Worker {
  return startDueWork<Purchase>({
    db: deps.db,
    table: purchases,
    take: (limit) => claimPurchases(deps, { which: isDue, values: [], limit }),
    run: (purchase) => settleOrPostpone(deps, purchase),
    atOnce,
    onError: deps.onError,
  })
}

/** The purchases under a key that a dead process left running, at once: the caller knows that it is dead. */
export async function settleLeft(
  deps: SettlerDeps,
  { merchantId, idempotencyKey }: { merchantId: string; idempotencyKey: string },
): Promise<void> {
  const left = {
    which: `state = 'running' and merchant_id = $2 and idempotency_key = $3`,
    values: [merchantId, idempotencyKey],
    limit: atOnce,
  }
  for (let claimed = await claimPurchases(deps, left); claimed.length > 0;) {
    const held = new Set(claimed)
    await whileHolding(deps.db, { table: purchases, held }, () =>
      inParallel(claimed, atOnce, async (purchase) => {
        await settleOrPostpone(deps, purchase)
        held.delete(purchase)
      }),
    )
    claimed = await claimPurchases(deps, left)
  }
}

async function settleOrPostpone(
  { db, provider, onChange, onError }: SettlerDeps,
  purchase: Purchase,
): Promise<void> {
  if (provider === undefined) return
  await settle({ db, provider }, purchase).catch(async (error: unknown) => {
    if (!(error instanceof ProviderError)) onError(error)
    await postpone(db, purchase)
  })
  onChange()
}

interface ClaimedRow {
  merchant_id: string
  purchase_id: string
  order_id: string
  state: PurchaseState
  actor: string
  attempt: number
  created_at: Date
  sent_to: string | null
  price_cents: number | null
}

async function claimPurchases(
  { db, provider }: SettlerDeps,
  { which, values, limit }: Pick<Choice, 'which' | 'limit'> & { values: readonly unknown[] },
): Promise<Purchase[]> {
  if (provider === undefined) return []
  const rows = await claim<ClaimedRow>({ query: db.systemQuery }, purchases, {
    which: `provider = $1 and ${which}`,
    values: [provider.name, ...values],
    first: fewestUnderWay(purchases, "state in ('running', 'in_doubt', 'voiding', 'failed')"),
    limit,
    returning: `merchant_id, purchase_id, order_id, state,
      case when state = 'voiding' then coalesce(voider, actor) else actor end as actor, attempt, created_at, sent_to, price_cents`,
  })
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
    sentTo: row.sent_to,
    priceCents: row.price_cents,
  }))
}

async function settle(outside: Outside, purchase: Purchase): Promise<void> {
  const { db } = outside
  if (purchase.state === 'failed') return voidAll(outside, purchase)
  if (purchase.state === 'voiding') {
    await voidAll(outside, purchase)
    await db.write(purchase.merchantId, (statements) => finishVoid(statements, purchase))
    return
  }
  await findLabels(outside, purchase)
  if (!(await isOfUse(outside, purchase))) await voidAll(outside, purchase)
}

/** False when the labels must go back, because one is missing or the order has changed. */
async function isOfUse(outside: Outside, purchase: Purchase): Promise<boolean> {
  try {
    return (await settlePurchase(outside, purchase)).kind !== 'failed'
  } catch (error) {
    if (error instanceof Refused) return false
    throw error
  }
}

/** Asks the provider about each label with an unknown result. Buys nothing. */
async function findLabels({ db, provider }: Outside, purchase: Purchase): Promise<void> {
  const books = labelBooks(db, purchase)
  const [labels, account] = await db.read(purchase.merchantId, (statements) =>
    Promise.all([listLabelsOf(statements, purchase), findCarrierAccount(statements, purchase.merchantId)]),
  )
  const paper = {
    merchantId: purchase.merchantId,
    format: account?.label_format ?? 'PDF',
    size: account?.label_size ?? '4x6',
  } as const
  for (const { box, state, shipment, buyingSeconds } of labels) {
    if (state !== 'buying' || shipment === null) continue
    const found = await provider.find(shipment, paper)
    if (typeof found !== 'string')
      await books.bought(box, {
        label: found,
        trackingUrl: trackingPageOf(found.carrier, found.trackingCode),
      })
    else if (found === 'not_bought' && (buyingSeconds ?? 0) > provider.certainAfterSeconds)
      await books.notBought(box)
  }
}

/** No process works on it any more, so a purchase that may have happened is in doubt. */
async function postpone(db: Database, { merchantId, purchaseId, attempt }: Purchase): Promise<void> {
  await db.systemQuery(
    `update label_purchases set lease_until = now() + make_interval(secs => $4),
       state = case when state = 'running' then 'in_doubt' else state end
     where merchant_id = $1 and purchase_id = $2 and attempt = $3`,
    [merchantId, purchaseId, attempt, againAfterErrorSeconds],
  )
}
