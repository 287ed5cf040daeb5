import type { Database, Statements } from '#platform/db/database.ts'
import { ProviderError } from '#platform/outside/provider-error.ts'
import { refuse } from '#platform/http/refuse.ts'
import { lockOrder, moveOrder, requireTransition, type MerchantStep } from '#orders/public.ts'
import {
  findLivePurchase,
  labelBooks,
  leaseSeconds,
  listLabelsOf,
  lockPurchase,
  setPurchaseState,
  type Purchase,
} from '../label-purchases.ts'
import type { ShippingProvider } from '../shipping-port.ts'

export interface VoidDeps {
  readonly db: Database
  readonly provider: ShippingProvider | undefined
}

/** Gives the labels back and makes the order one that can be shipped again. Answers its new wire text. */
export async function voidLabels({ db, provider }: VoidDeps, step: MerchantStep): Promise<string> {
  if (provider === undefined) return refuse('label_provider_failed')
  const purchase = await db.write(step.merchantId, (statements) => beginVoid(statements, step))
  try {
    await voidAll({ db, provider }, purchase)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    return refuse('label_provider_failed', {
      message: `${error.provider} did not answer. It is asked again by itself; the order comes back as soon as the labels are voided.`,
    })
  }
  const text = await db.write(step.merchantId, (statements) => finishVoid(statements, purchase))
  return text ?? refuse('labels_not_voidable')
}

async function beginVoid(statements: Statements, step: MerchantStep): Promise<Purchase> {
  const locked = await lockOrder(statements, step)
  await requireTransition(statements, step.merchantId, { locked, action: 'void_labels' })
  const purchase = await findLivePurchase(statements, step)
  if (purchase === undefined)
    return refuse('labels_not_voidable', { message: 'This order has no bought labels.' })
  if (purchase.state !== 'bought') refuse('labels_in_doubt')
  const [seen] = await statements.query(
    'select 1 from shipping_labels where merchant_id = $1 and purchase_id = $2 and progress is not null limit 1',
    [step.merchantId, purchase.purchaseId],
  )
  if (seen !== undefined) refuse('labels_not_voidable')
  await setPurchaseState(statements, purchase, { state: 'voiding', againInSeconds: leaseSeconds })
  await statements.query(
    'update label_purchases set voider = $3 where merchant_id = $1 and purchase_id = $2',
    [step.merchantId, purchase.purchaseId, JSON.stringify(step.actor)],
  )
  return { ...purchase, actor: step.actor }
}

/** Harmless to repeat. A label that the carrier has seen stays bought. */
export async function voidAll(
  { db, provider }: { db: Database; provider: ShippingProvider },
  purchase: Purchase,
): Promise<void> {
  const books = labelBooks(db, purchase)
  const labels = await db.read(purchase.merchantId, (statements) => listLabelsOf(statements, purchase))
  for (const { box, state, shipment } of labels) {
    if ((state !== 'bought' && state !== 'to_void') || shipment === null) continue
    if (await provider.void(shipment)) await books.voided(box)
    else if (state === 'to_void' || purchase.state === 'failed') await books.kept(box)
  }
}

/** Undefined when the carrier kept at least one label: then the order stays shipped. */
export async function finishVoid(statements: Statements, purchase: Purchase): Promise<string | undefined> {
  const locked = await lockOrder(statements, purchase)
  const held = await lockPurchase(statements, purchase)
  if (held?.state !== 'voiding') return undefined
  const labels = await listLabelsOf(statements, purchase)
  if (labels.some(({ state }) => state !== 'voided')) {
    await setPurchaseState(statements, purchase, { state: 'bought' })
    return undefined
  }
  await setPurchaseState(statements, purchase, { state: 'voided' })
  if (locked.order.status !== 'MERCHANT_SHIPPED') return undefined
  return moveOrder(statements, { ...purchase, action: 'void_labels' }, () => ({
    patch: {
      shipment_info: [],
      tracking_provider: null,
      tracking_id: null,
      tracking_url: null,
      other_tracking_provider: null,
    },
    details: { tracking_codes: labels.map(({ trackingCode }) => trackingCode).join(', ') },
  }))
}
