import { formatDollars, toDollars } from '@cellarhand/contract/money'
import { refusals } from '@cellarhand/contract/refusals'
import type { Database, Statements } from '#platform/db/database.ts'
import { refuse, Refused } from '#platform/http/refuse.ts'
import { lockOrder, requireTransition, trackingPageOf, writeChange } from '#orders/public.ts'
import { addressOf, addressText } from './begin-purchase.ts'
import {
  listLabelsOf,
  lockPurchase,
  setPurchaseState,
  type Purchase,
  type StoredLabel,
} from './label-purchases.ts'
import type { ShippingProvider } from '../port/shipping-port.ts'
import { writeLabelFailure } from './note-label-failure.ts'

export type Settled =
  | { readonly kind: 'bought'; readonly orderText: string }
  /** At least one label may have been bought; nobody knows yet. */
  | { readonly kind: 'in_doubt' }
  | { readonly kind: 'failed' }
  /** Another process works on this purchase by now. */
  | { readonly kind: 'taken_over' }

/** With a corrected address the labels are for the wrong door: they go back, and the order's history says why. */
type Concluded = Settled | { readonly kind: 'address_corrected' }

export interface Outside {
  readonly db: Database
  readonly provider: ShippingProvider
}

const pauseSeconds = { least: 5, most: 600 }

/** Turns the facts about the labels into the purchase's result, in one transaction with the order. */
export async function settlePurchase({ db, provider }: Outside, purchase: Purchase): Promise<Settled> {
  const settled = await concludeOrGiveUp({ db, provider }, purchase)
  return settled.kind === 'address_corrected' ? refuse('address_corrected') : settled
}

async function concludeOrGiveUp({ db, provider }: Outside, purchase: Purchase): Promise<Concluded> {
  try {
    return await db.write(purchase.merchantId, (statements) => conclude(statements, purchase, provider))
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    // The order changed while its labels were bought: they go back.
    await db.write(purchase.merchantId, (statements) => giveUp(statements, purchase))
    throw error
  }
}

async function conclude(
  statements: Statements,
  purchase: Purchase,
  provider: ShippingProvider,
): Promise<Concluded> {
  const locked = await lockOrder(statements, purchase)
  const held = await lockPurchase(statements, purchase)
  if (held === undefined) return { kind: 'taken_over' }
  const labels = await listLabelsOf(statements, purchase)
  if (labels.some(({ state }) => state === 'buying')) {
    const againInSeconds = pauseOf(labels, provider)
    await setPurchaseState(statements, purchase, { state: 'in_doubt', againInSeconds })
    return { kind: 'in_doubt' }
  }
  if (labels.some(({ state }) => state !== 'bought')) {
    await giveUp(statements, purchase)
    return { kind: 'failed' }
  }
  const transition = await requireTransition(statements, purchase.merchantId, {
    locked,
    action: 'buy_labels',
  })
  if (held.sentTo !== null && held.sentTo !== addressText(addressOf(locked.order.recipient))) {
    await giveUp(statements, purchase)
    await writeLabelFailure(statements, purchase, {
      locked,
      refusal: { code: 'address_corrected', message: refusals.address_corrected.message },
    })
    return { kind: 'address_corrected' }
  }
  await setPurchaseState(statements, purchase, { state: 'bought' })
  const shipments = labels.map(shipmentOf)
  const [first] = shipments
  const orderText = await writeChange(statements, purchase.merchantId, {
    locked,
    change: {
      action: 'buy_labels',
      actor: purchase.actor,
      transition,
      patch: {
        shipment_info: shipments,
        tracking_provider: first?.carrier ?? null,
        tracking_id: first?.tracking_code ?? null,
        tracking_url: first?.tracking_url ?? null,
        other_tracking_provider: null,
      },
      details: {
        carrier: first?.carrier,
        boxes: shipments.length,
        ...(held.priceCents === null ? {} : { price: formatDollars(toDollars(held.priceCents)) }),
        tracking_codes: shipments.map(({ tracking_code }) => tracking_code).join(', '),
      },
    },
  })
  return { kind: 'bought', orderText }
}

/** The longer the doubt, the rarer the question; but it is asked as soon as "not bought" is certain. */
function pauseOf(labels: readonly StoredLabel[], { certainAfterSeconds }: ShippingProvider): number {
  const age = Math.max(0, ...labels.map(({ buyingSeconds }) => buyingSeconds ?? 0))
  const usual = Math.min(Math.max(age / 2, pauseSeconds.least), pauseSeconds.most)
  const left = certainAfterSeconds - age
  return left > 0 ? Math.min(usual, left + 0.5) : usual
}

function shipmentOf({ carrier, trackingCode, trackingUrl }: StoredLabel) {
  const known = { carrier: carrier ?? '', tracking_code: trackingCode ?? '' }
  return { ...known, tracking_url: trackingUrl ?? trackingPageOf(known.carrier, known.tracking_code) }
}

/** Nothing of it is used. The settler voids any label that was bought all the same. */
async function giveUp(statements: Statements, purchase: Purchase): Promise<void> {
  const { merchantId, purchaseId } = purchase
  if ((await lockPurchase(statements, purchase)) === undefined) return
  await statements.query(
    `update shipping_labels set state = 'to_void' where merchant_id = $1 and purchase_id = $2 and state = 'bought'`,
    [merchantId, purchaseId],
  )
  await setPurchaseState(statements, purchase, { state: 'failed' })
}
