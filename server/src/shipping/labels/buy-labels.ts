import { type Database } from '#platform/db/database.ts'
import { hasLostDatabase } from '#platform/db/database-errors.ts'
import { ProviderError } from '#platform/outside/provider-error.ts'
import { refuse } from '#platform/http/refuse.ts'
import type { IdempotentRequest } from '#platform/http/idempotency.ts'
import { whileHolding } from '#platform/jobs/claim.ts'
import { takeProviderShare } from '#platform/provider-share.ts'
import { getOrderText, trackingPageOf, type MerchantStep } from '#orders/public.ts'
import { labelBooks, listLabelsOf, purchases, type Purchase, type StoredLabel } from './label-purchases.ts'
import { doubtfulRefusal, labelRefusal, toLabelRefusal } from '../port/label-refusal.ts'
import { LabelRefused, type LabelPaper, type Quote, type ShippingProvider } from '../port/shipping-port.ts'
import { beginPurchase, findOwnPurchase, type Plan, type WantedBox } from './begin-purchase.ts'
import { takeQuote, wishOf } from './kept-quotes.ts'
import { noteLabelFailure } from './note-label-failure.ts'
import { settlePurchase, type Outside } from './settle-purchase.ts'

export interface BuyDeps {
  readonly db: Database
  readonly provider: ShippingProvider | undefined
  /** A purchase waits to be settled or voided. */
  readonly onUnsettled: () => void
  readonly onError: (error: unknown) => void
}

export interface BuyRequest {
  readonly boxes: readonly WantedBox[]
  readonly idempotent: IdempotentRequest | undefined
}

const voidedSince =
  'The labels of this request were bought and have been voided since. To buy new ones, send a new request.'
const lookAgainMs = [500, 1500]

/** Buys one label per box, all or none, and returns the order's new wire text. Pressing twice buys once. */
export async function buyLabels(deps: BuyDeps, step: MerchantStep, request: BuyRequest): Promise<string> {
  const { provider } = deps
  if (provider === undefined) throw labelRefusal('general')
  const own = await deps.db.read(step.merchantId, (statements) =>
    findOwnPurchase(statements, step, request.idempotent),
  )
  // A repeated request asks nothing of the provider.
  if (own === undefined) await takeProviderShare(deps.db, step.merchantId)
  let sentTo: string | null = null
  try {
    return await buyOf({ ...deps, provider, onBegun: (begun) => (sentTo = begun.sentTo) }, step, request)
  } catch (error) {
    await noteLabelFailure(deps, { ...step, sentTo }, error)
    throw error
  }
}

async function buyOf(
  {
    db,
    provider,
    onUnsettled,
    onBegun,
  }: Omit<BuyDeps, 'onError'> & Outside & { onBegun: (purchase: Purchase) => void },
  step: MerchantStep,
  request: BuyRequest,
): Promise<string> {
  const begun = await db.write(step.merchantId, (statements) =>
    beginPurchase(statements, step, { provider: provider.name, ...request }),
  )
  const { purchase } = begun
  onBegun(purchase)
  if (purchase.state === 'voided') refuse('idempotency_key_reused', { message: voidedSince })
  if (begun.kind === 'again') return getOrderText(db.read, step.merchantId, step.orderId)
  const failure = await whileHolding(db, { table: purchases, held: new Set([purchase]) }, () =>
    buyAll({ db, provider }, purchase, begun.plan),
  ).catch((error: unknown) => error)
  const settled = await settlePurchase({ db, provider }, purchase).catch((error: unknown) => {
    onUnsettled()
    throw error
  })
  if (settled.kind === 'bought') return settled.orderText
  onUnsettled()
  // The carrier may have answered, and only the note of it was lost: that is no failure of the carrier.
  if (settled.kind === 'in_doubt') throw hasLostDatabase(failure) ? failure : doubtfulRefusal()
  if (settled.kind === 'taken_over') return refuse('labels_in_doubt')
  throw toLabelRefusal(failure) ?? failure ?? labelRefusal('general')
}

/** Gets all quotes first: a bad address shows before any money is spent. Throws at the first impossible label. */
async function buyAll({ db, provider }: Outside, purchase: Purchase, plan: Plan): Promise<void> {
  await quoteBoxes({ db, provider }, purchase, plan)
  const quoted = await db.read(purchase.merchantId, (statements) => listLabelsOf(statements, purchase))
  for (const label of quoted) {
    await buyOne({ db, provider }, purchase, { label, paper: paperOf(purchase, plan) })
  }
}

export function paperOf({ merchantId }: Purchase, { account }: Plan): LabelPaper {
  return { merchantId, format: account.label_format, size: account.label_size }
}

/** A box that was quoted when somebody asked for its price is bought at that price, as the same shipment. */
export async function quoteBoxes(
  { db, provider }: Outside,
  purchase: Purchase,
  plan: Plan,
): Promise<Quote[]> {
  const books = labelBooks(db, purchase)
  const planned = await db.read(purchase.merchantId, (statements) => listLabelsOf(statements, purchase))
  const quotes: Quote[] = []
  for (const label of planned) {
    const wish = wishOf(plan, {
      orderId: purchase.orderId,
      attempt: purchase.purchaseId,
      box: { number: label.box, count: planned.length },
      weightPounds: label.weight,
    })
    const asked = await db.write(purchase.merchantId, (statements) => takeQuote(statements, purchase, wish))
    const quote = asked ?? (await provider.quote(wish))
    await books.quoted(label.box, quote)
    quotes.push(quote)
  }
  return quotes
}

export async function buyOne(
  { db, provider }: Outside,
  purchase: Purchase,
  { label, paper }: { label: StoredLabel; paper: LabelPaper },
): Promise<void> {
  const books = labelBooks(db, purchase)
  const { box, shipment, rate, insurance } = label
  if (shipment === null || rate === null) throw new Error('A label is bought without a quote.')
  await books.buying(box)
  try {
    const bought = await provider.buy({ shipment, rate }, { insurance, ...paper })
    await books.bought(box, {
      label: bought,
      trackingUrl: trackingPageOf(bought.carrier, bought.trackingCode),
    })
  } catch (error) {
    const isCertain =
      error instanceof LabelRefused || (error instanceof ProviderError && !error.isEffectUnknown)
    if (isCertain) await books.notBought(box)
    else if (await isFoundSoon({ db, provider }, purchase, { label, paper })) return
    throw error
  }
}

/** The answer was lost, but perhaps not the label. The clerk is waiting, so the search starts at once. */
async function isFoundSoon(
  { db, provider }: Outside,
  purchase: Purchase,
  { label, paper }: { label: StoredLabel; paper: LabelPaper },
): Promise<boolean> {
  for (const waitMs of lookAgainMs) {
    await db.clock.sleep(waitMs)
    const found = await provider.find(label.shipment ?? '', paper).catch(() => 'not_bought' as const)
    // "Not bought" is not final: the provider may still be working on the purchase.
    if (typeof found === 'string') continue
    await labelBooks(db, purchase).bought(label.box, {
      label: found,
      trackingUrl: trackingPageOf(found.carrier, found.trackingCode),
    })
    return true
  }
  return false
}
