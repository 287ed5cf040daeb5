import { messages } from '@cellarhand/contract/messages'
import type { Order } from '@cellarhand/contract/orders'
import { whyNoLabel } from '@cellarhand/contract/why-no-label'
import { Refused } from '#platform/http/refuse.ts'
import { inParallel } from '#platform/in-parallel.ts'
import { whileHolding } from '#platform/jobs/claim.ts'
import type { HeldJob } from '#platform/jobs/queue.ts'
import { ProviderError } from '#platform/outside/provider-error.ts'
import type { EndedOrder, WaitingOrder } from '#documents/public.ts'
import { trackingPageOf, type Actor } from '#orders/public.ts'
import { labelBooks, listLabelsOf, purchases, startBuying, type Purchase } from './label-purchases.ts'
import { labelRefusal, toLabelRefusal } from '../port/label-refusal.ts'
import { LabelRefused, type Quote } from '../port/shipping-port.ts'
import { beginPurchase, type Plan } from './begin-purchase.ts'
import { buyOne, paperOf, quoteBoxes } from './buy-labels.ts'
import { noteLabelFailure } from './note-label-failure.ts'
import { settlePurchase, type Outside } from './settle-purchase.ts'

export interface ManyDeps extends Outside {
  readonly onUnsettled: () => void
  readonly onError: (error: unknown) => void
}

export interface LabelWork {
  readonly job: HeldJob
  readonly batchId: string
  readonly actor: Actor
}

/** The result for one order: its label exists, it gets none for a reason, or nobody knows yet. */
type Outcome = EndedOrder | { readonly position: number; readonly isInDoubt: true }

export interface ManyOrders {
  readonly wanted: readonly WaitingOrder[]
  /** Called for each order as soon as its result is known, so that a later death loses nothing. */
  readonly onOutcome: (outcome: Outcome) => Promise<void>
}

/** One order on its way to a label; `failure` is the reason why it gets none. */
interface Underway {
  readonly position: number
  readonly purchase: Purchase
  readonly plan: Plan
  quote?: Quote
  failure?: unknown
}

const quotesAtOnce = 4
const scope = 'labels-batch'
const voidedMeanwhile = 'Its label was bought and then voided. To ship it, create a new label in the order.'
/** After so many purchases with an unknown result that bought nothing, the carrier counts as silent. */
const mostDoubts = 5

/** Every purchase of a batch carries this key, so that the batch's next worker recognises its own. */
export function purchaseKeyOf({ batchId }: Pick<LabelWork, 'batchId'>): string {
  return `${scope} ${batchId}`
}

/**
 * Buys one box for each order, as the form suggests it. All quotes come first, and only then is money spent. Each
 * purchase is stored right before its call, so that a dying process leaves no doubt about the others. An order that
 * cannot get a label costs no other order its own.
 */
export async function buyManyLabels(deps: ManyDeps, work: LabelWork, orders: ManyOrders): Promise<void> {
  const held = new Set<Purchase>()
  await whileHolding(deps.db, { table: purchases, held }, async () => {
    const end = async (each: Underway) => {
      const outcome = await conclude(deps, each)
      held.delete(each.purchase)
      await orders.onOutcome(outcome)
    }
    const underway: Underway[] = []
    for (const order of orders.wanted) {
      const begun = await begin(deps, work, order)
      if (!('purchase' in begun)) await orders.onOutcome(begun)
      else {
        held.add(begun.purchase)
        underway.push(begun)
      }
    }
    await inParallel(underway, quotesAtOnce, async (each) => {
      try {
        const [quote] = await quoteBoxes(deps, each.purchase, each.plan)
        if (quote !== undefined) each.quote = quote
      } catch (error) {
        each.failure = error
      }
    })
    for (const each of underway) if (each.quote === undefined) await end(each)
    await buyQuoted(deps, work, { quoted: underway.filter(({ quote }) => quote !== undefined), end })
  })
}

async function begin(
  deps: ManyDeps,
  { job, batchId, actor }: LabelWork,
  { position, order_id, doubts }: WaitingOrder,
): Promise<Underway | Outcome> {
  try {
    const begun = await deps.db.write(job.merchantId, async (statements) => {
      await job.hold(statements)
      const step = { merchantId: job.merchantId, orderId: order_id, actor }
      const idempotent = { scope, key: batchId, hash: '' }
      const wish = { provider: deps.provider.name, idempotent }
      const found = await beginPurchase(statements, step, wish)
      // Known by now: nothing was bought. The refusal rolls the new purchase back.
      if (found.kind === 'new' && doubts >= mostDoubts) throw labelRefusal('carrier_not_responding')
      return found
    })
    if (begun.kind === 'new') return { position, ...begun }
    const isVoided = begun.purchase.state === 'voided'
    return { position, error: isVoided ? voidedMeanwhile : await withoutFile(deps, begun.purchase) }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const isUnknown = error.code === 'labels_being_bought' || error.code === 'labels_in_doubt'
    await noteLabelFailure(deps, { merchantId: job.merchantId, orderId: order_id, actor }, error)
    return isUnknown ? { position, isInDoubt: true } : { position, error: reasonOf(error) }
  }
}

interface QuotedOrders {
  readonly quoted: readonly Underway[]
  /** Called for each order as soon as it is done. */
  readonly end: (each: Underway) => Promise<void>
}

async function buyQuoted(deps: ManyDeps, work: LabelWork, { quoted, end }: QuotedOrders): Promise<void> {
  if (quoted.length === 0) return
  const isTaken = deps.provider.buyMany !== undefined && (await buyTogether(deps, work, quoted))
  const isNoneBought = quoted.every(({ failure }) => failure instanceof LabelRefused)
  if (isTaken && !isNoneBought) {
    for (const each of quoted) await end(each)
    return
  }
  // If a batch bought nothing at all, the batch itself may be at fault. Then the first goes alone, before the others.
  let isWorthIt = true
  for (const each of quoted) {
    if (isWorthIt) {
      work.job.signal.throwIfAborted()
      delete each.failure
      await buyAlone(deps, each)
      isWorthIt = !isTaken || each.failure === undefined
    }
    await end(each)
  }
}

async function buyAlone(deps: ManyDeps, each: Underway): Promise<void> {
  const [label] = await deps.db.read(each.purchase.merchantId, (statements) =>
    listLabelsOf(statements, each.purchase),
  )
  if (label === undefined) throw new Error('A purchase without a box.')
  await buyOne(deps, each.purchase, { label, paper: paperOf(each.purchase, each.plan) }).catch(
    (error: unknown) => {
      each.failure = error
    },
  )
}

/** False when the provider does not sell these as a batch; then nothing was bought. */
async function buyTogether(
  { db, provider }: ManyDeps,
  { job, batchId }: LabelWork,
  quoted: readonly Underway[],
): Promise<boolean> {
  const [first] = quoted
  if (first === undefined) return true
  job.signal.throwIfAborted()
  const quotes = quoted.flatMap(({ quote }) => quote ?? [])
  const terms = {
    ...paperOf(first.purchase, first.plan),
    reference: `${batchId}:${first.position}`,
    signal: job.signal,
    beforeMoney: () =>
      db.write(job.merchantId, async (statements) => {
        await job.hold(statements)
        await startBuying(
          statements,
          quoted.map(({ purchase }) => purchase),
        )
      }),
  }
  const answers = await provider.buyMany?.(quotes, terms).catch((error: unknown) => {
    if (error instanceof ProviderError || error instanceof LabelRefused) return error
    throw error
  })
  for (const each of quoted) {
    const answer = answers instanceof Map ? answers.get(each.quote?.shipment ?? '') : answers
    const books = labelBooks(db, each.purchase)
    if (answer === undefined) continue
    if (answer === 'not_taken' || answer instanceof Error) {
      if (answer instanceof Error) each.failure = answer
      await books.notBought(1)
    } else {
      const trackingUrl = trackingPageOf(answer.carrier, answer.trackingCode)
      await books.bought(1, { label: answer, trackingUrl })
    }
  }
  return answers !== 'not_taken'
}

/** Turns the facts about an order's label into its result. */
async function conclude(deps: ManyDeps, { position, purchase, failure }: Underway): Promise<Outcome> {
  const { onUnsettled, onError } = deps
  try {
    const settled = await settlePurchase(deps, purchase)
    if (settled.kind === 'bought') return { position, error: await withoutFile(deps, purchase) }
    onUnsettled()
    if (settled.kind !== 'failed') return { position, isInDoubt: true }
  } catch (error) {
    onUnsettled()
    if (error instanceof Refused) return { position, error: reasonOf(error) }
    throw error
  }
  const refusal = toLabelRefusal(failure)
  if (refusal === undefined && failure !== undefined) onError(failure)
  const told = refusal ?? labelRefusal('general')
  await noteLabelFailure(deps, purchase, told)
  return { position, error: told.message }
}

/** Null when the label exists. */
async function withoutFile({ db }: ManyDeps, { merchantId, purchaseId }: Purchase): Promise<string | null> {
  const [file] = await db.read(merchantId, ({ query }) =>
    query('select 1 from label_files where merchant_id = $1 and purchase_id = $2', [merchantId, purchaseId]),
  )
  return file === undefined ? messages.labelUnavailable : null
}

function reasonOf(error: Refused): string {
  const order = error.details.body?.['order'] as Order | undefined
  const why = error.code === 'invalid_transition' && order !== undefined ? whyNoLabel(order) : undefined
  return why ?? error.message
}
