import type { Database } from '#platform/db/database.ts'
import { inParallel } from '#platform/in-parallel.ts'
import { ProviderError } from '#platform/outside/provider-error.ts'
import { Refused } from '#platform/http/refuse.ts'
import { startWorker, type Worker } from '#platform/jobs/worker.ts'
import { trackingPageOf, type Actor } from '#orders/public.ts'
import { findCarrierAccount } from '../account/carrier-account.ts'
import { settlePurchase, type Outside } from './settle-purchase.ts'
import { finishVoid, voidAll } from './void-labels.ts'
import {
  labelBooks,
  leaseSeconds,
  listLabelsOf,
  whileHolding,
  type Purchase,
  type PurchaseState,
} from './label-purchases.ts'
import type { ShippingProvider } from '../port/shipping-port.ts'

export interface SettlerDeps {
  readonly db: Database
  readonly provider: ShippingProvider | undefined
  readonly onChange: () => void
  readonly onError: (error: unknown) => void
}

const pollMs = 5_000
const atOnce = 4
const againAfterErrorSeconds = 15

/** Finds the results of purchases whose answer was lost or whose process died, and returns labels that nobody uses. */
export function startLabelSettler(deps: SettlerDeps): Worker {
  return startWorker({
    work: (isStopping) => settleDue(deps, isStopping),
    everyMs: pollMs,
    onError: deps.onError,
  })
}

async function settleDue(deps: SettlerDeps, isStopping: () => boolean): Promise<void> {
  while (!isStopping() && (await settleClaimed(deps, isDue, [])) > 0) deps.onChange()
}

/** Settles a dead process's purchases under a key, at once: the caller knows that the process is dead. */
export async function settleLeft(
  deps: SettlerDeps,
  { merchantId, idempotencyKey }: { merchantId: string; idempotencyKey: string },
): Promise<void> {
  const left = `state = 'running' and merchant_id = $2 and idempotency_key = $3`
  while ((await settleClaimed(deps, left, [merchantId, idempotencyKey])) > 0) deps.onChange()
}

/** A label under way when its purchase was given up is bought all the same, and useless. */
const isDue = `lease_until <= now() and (state in ('running', 'in_doubt', 'voiding')
  or (state = 'failed' and exists (
    select from shipping_labels l
    where l.merchant_id = due.merchant_id and l.purchase_id = due.purchase_id and l.state in ('to_void', 'bought'))))`

/** Returns how many there were. */
async function settleClaimed(
  { db, provider, onError }: SettlerDeps,
  which: string,
  values: readonly unknown[],
): Promise<number> {
  if (provider === undefined) return 0
  const claimed = await claim(db, which, [provider.name, ...values])
  const held = new Set(claimed)
  await whileHolding(db, held, () =>
    inParallel(claimed, atOnce, async (purchase) => {
      await settle({ db, provider }, purchase).catch(async (error: unknown) => {
        if (!(error instanceof ProviderError)) onError(error)
        await postpone(db, purchase)
      })
      held.delete(purchase)
    }),
  )
  return claimed.length
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

async function claim(db: Database, which: string, values: readonly unknown[]): Promise<Purchase[]> {
  const rows = await db.systemQuery<ClaimedRow>(
    `update label_purchases p set attempt = p.attempt + 1, lease_until = now() + make_interval(secs => ${leaseSeconds})
     from (
       select merchant_id, purchase_id from label_purchases due
       where provider = $1 and ${which}
       order by lease_until limit ${atOnce} for update skip locked
     ) due
     where p.merchant_id = due.merchant_id and p.purchase_id = due.purchase_id
     returning p.merchant_id, p.purchase_id, p.order_id, p.state, case when p.state = 'voiding' then coalesce(p.voider, p.actor) else p.actor end as actor, p.attempt, p.created_at`,
    values,
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
  const paper = { format: account?.label_format ?? 'PDF', size: account?.label_size ?? '4x6' } as const
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
