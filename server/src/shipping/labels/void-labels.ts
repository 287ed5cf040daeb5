import type { Database, Statements } from '#platform/db/database.ts'
import { ProviderError } from '#platform/outside/provider-error.ts'
import { refuse } from '#platform/http/refuse.ts'
import { leaseSeconds, whileHolding } from '#platform/jobs/claim.ts'
import {
  lockOrder,
  moveOrder,
  requireTransition,
  writeChange,
  type LockedOrder,
  type MerchantStep,
} from '#orders/public.ts'
import {
  findLivePurchase,
  labelBooks,
  listLabelsOf,
  lockPurchase,
  purchases,
  setPurchaseState,
  type Purchase,
  type StoredLabel,
} from './label-purchases.ts'
import type { ShippingProvider } from '../port/shipping-port.ts'

export interface VoidDeps {
  readonly db: Database
  readonly provider: ShippingProvider | undefined
}

/** The result of a void. A label that the carrier took back is refunded and leaves the order, in any status. */
type Voided =
  | { readonly kind: 'all'; readonly orderText: string }
  | { readonly kind: 'some'; readonly orderText: string; readonly voided: number; readonly kept: number }
  /** The carrier has scanned every parcel. */
  | { readonly kind: 'none' }
  /** Another process works on it by now. */
  | { readonly kind: 'taken_over' }

/** Returns the labels and makes the order ready to ship again. Returns its new wire text. */
export async function voidLabels({ db, provider }: VoidDeps, step: MerchantStep): Promise<string> {
  if (provider === undefined) return refuse('label_provider_failed')
  const purchase = await db.write(step.merchantId, (statements) => beginVoid(statements, step))
  try {
    await whileHolding(db, { table: purchases, held: new Set([purchase]) }, () =>
      voidAll({ db, provider }, purchase),
    )
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    return refuse('label_provider_failed', { message: `${error.provider} did not answer. ${askedAgain}` })
  }
  const ended = await db.write(step.merchantId, (statements) => finishVoid(statements, purchase))
  switch (ended.kind) {
    case 'all':
      return ended.orderText
    case 'some':
      return refuse('labels_partly_voided', {
        message: `${ended.voided} of ${ended.voided + ended.kept} labels are voided and refunded. The carrier has the other parcels already.`,
        body: { order: JSON.parse(ended.orderText) as unknown, latest: null },
      })
    case 'none':
      return refuse('labels_not_voidable')
    case 'taken_over':
      return refuse('label_provider_failed', { message: `The carrier has not answered yet. ${askedAgain}` })
  }
}

const askedAgain = 'It is asked again by itself; the order comes back as soon as the labels are voided.'

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

/** May be repeated. A label that the carrier has scanned stays bought. */
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

/**
 * Writes the returned labels to the order. If the order still counts as handed over, it can be shipped again. If it
 * has moved on (delivered, disputed, cancelled), it keeps its status without these labels, and its history says so.
 */
export async function finishVoid(statements: Statements, purchase: Purchase): Promise<Voided> {
  const locked = await lockOrder(statements, purchase)
  const held = await lockPurchase(statements, purchase)
  if (held?.state !== 'voiding') return { kind: 'taken_over' }
  const labels = await listLabelsOf(statements, purchase)
  const voided = labels.filter(({ state }) => state === 'voided')
  const isAll = voided.length === labels.length
  await setPurchaseState(statements, purchase, { state: isAll ? 'voided' : 'bought' })
  const outcome = { patch: withoutLabels(locked.order, voided), details: detailsOf(voided) }
  // A parcel under a number of its own, with which the order was sent again, stays on its way.
  if (isAll && locked.order.status === 'MERCHANT_SHIPPED' && outcome.patch.shipment_info.length === 0) {
    const orderText = await moveOrder(statements, { ...purchase, action: 'void_labels' }, () => outcome)
    return { kind: 'all', orderText }
  }
  const isNew = voided.some(({ trackingCode }) =>
    locked.order.shipment_info.some(({ tracking_code }) => tracking_code === trackingCode),
  )
  if (!isAll && !isNew) return { kind: 'none' }
  const orderText = await writeChange(statements, purchase.merchantId, {
    locked,
    change: { ...outcome, action: 'void_labels', actor: purchase.actor },
  })
  return isAll
    ? { kind: 'all', orderText }
    : { kind: 'some', orderText, voided: voided.length, kept: labels.length - voided.length }
}

type Tracked = LockedOrder['order']

function withoutLabels(order: Tracked, voided: readonly StoredLabel[]) {
  const gone = new Set(voided.map(({ trackingCode }) => trackingCode))
  const shipment_info = order.shipment_info.filter(({ tracking_code }) => !gone.has(tracking_code))
  const [first] = shipment_info
  return {
    shipment_info,
    tracking_provider: first?.carrier ?? null,
    tracking_id: first?.tracking_code ?? null,
    tracking_url: first?.tracking_url ?? null,
    other_tracking_provider: null,
  }
}

function detailsOf(voided: readonly StoredLabel[]) {
  return { tracking_codes: voided.map(({ trackingCode }) => trackingCode).join(', ') }
}
