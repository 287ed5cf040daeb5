import { messages } from '@cellarhand/contract/messages'
import { isLocal } from '@cellarhand/contract/order-statuses'
import type { Order } from '@cellarhand/contract/orders'
import { refusals } from '@cellarhand/contract/refusals'
import type { Database } from '#platform/db/database.ts'
import { Refused } from '#platform/http/refuse.ts'
import { inParallel } from '#platform/in-parallel.ts'
import type { HeldJob } from '#platform/jobs/queue.ts'
import { ProviderError } from '#platform/outside/provider-error.ts'
import type { EndedOrder } from '#documents/public.ts'
import { trackingPageOf, type Actor } from '#orders/public.ts'
import { labelBooks, listLabelsOf, startBuying, type Purchase } from '../label-purchases.ts'
import { labelRefusal, toLabelRefusal } from '../label-refusal.ts'
import { LabelRefused, type Quote, type ShippingProvider } from '../shipping-port.ts'
import { beginPurchase, type Plan } from './begin-purchase.ts'
import { buyOne, paperOf, quoteBoxes } from './buy-labels.ts'
import { settlePurchase } from './settle-purchase.ts'

export interface ManyDeps {
  readonly db: Database
  readonly provider: ShippingProvider
  readonly onUnsettled: () => void
  readonly onError: (error: unknown) => void
}

export interface LabelWork {
  readonly job: HeldJob
  readonly batchId: string
  readonly actor: Actor
}

interface Wanted {
  readonly position: number
  readonly order_id: string
}

/** One order on its way to a label; `failure` is why it gets none. */
interface Underway {
  readonly position: number
  readonly purchase: Purchase
  readonly plan: Plan
  quote?: Quote
  failure?: unknown
}

const quotesAtOnce = 4
const scope = 'labels-batch'

/** Every purchase of a batch carries it, so that whoever takes the batch over knows its own. */
export function purchaseKeyOf({ batchId }: Pick<LabelWork, 'batchId'>): string {
  return `${scope} ${batchId}`
}

/**
 * One box for each order, as the form would suggest it. All quotes first, then all are written down as being bought in
 * one transaction, and only then is money spent. What one order lacks costs no other its label.
 */
export async function buyManyLabels(
  deps: ManyDeps,
  work: LabelWork,
  wanted: readonly Wanted[],
): Promise<EndedOrder[]> {
  const ended: EndedOrder[] = []
  const underway: Underway[] = []
  for (const { position, order_id } of wanted) {
    const begun = await begin(deps, work, order_id)
    if (typeof begun === 'string') ended.push({ position, error: begun })
    else if (begun.kind === 'new') underway.push({ position, ...begun })
    else ended.push({ position, error: await withoutFile(deps, begun.purchase) })
  }
  await inParallel(underway, quotesAtOnce, async (each) => {
    try {
      const [quote] = await quoteBoxes(deps, each.purchase, each.plan)
      if (quote !== undefined) each.quote = quote
    } catch (error) {
      each.failure = error
    }
  })
  await buyQuoted(deps, work, underway)
  for (const each of underway) ended.push({ position: each.position, error: await conclude(deps, each) })
  return ended
}

async function begin({ db, provider }: ManyDeps, { job, batchId, actor }: LabelWork, orderId: string) {
  try {
    return await db.write(job.merchantId, async (statements) => {
      await job.hold(statements)
      const step = { merchantId: job.merchantId, orderId, actor }
      const idempotent = { scope, key: batchId, hash: '' }
      return beginPurchase(statements, step, { provider: provider.name, idempotent })
    })
  } catch (error) {
    if (error instanceof Refused) return reasonOf(error)
    throw error
  }
}

async function buyQuoted(deps: ManyDeps, work: LabelWork, underway: readonly Underway[]): Promise<void> {
  const { db, provider } = deps
  const { job } = work
  job.signal.throwIfAborted()
  const held = await db.write(job.merchantId, async (statements) => {
    await job.hold(statements)
    const ours: Underway[] = []
    for (const each of underway)
      if (each.quote !== undefined && (await startBuying(statements, each.purchase))) ours.push(each)
    return ours
  })
  if (held.length === 0) return
  if (provider.buyMany === undefined) {
    for (const each of held) await buyAlone(deps, each)
    return
  }
  await buyTogether(deps, work, held)
}

async function buyAlone(deps: ManyDeps, each: Underway): Promise<void> {
  const [label] = await deps.db.read(each.purchase.merchantId, (statements) =>
    listLabelsOf(statements, each.purchase),
  )
  if (label === undefined) throw new Error('A purchase without a box.')
  await buyOne(deps, each.purchase, { label, paper: paperOf(each.plan) }).catch((error: unknown) => {
    each.failure = error
  })
}

async function buyTogether(
  { db, provider }: ManyDeps,
  { job, batchId }: LabelWork,
  held: readonly Underway[],
): Promise<void> {
  const [first] = held
  if (first === undefined) return
  const quotes = held.flatMap(({ quote }) => quote ?? [])
  const terms = { ...paperOf(first.plan), reference: `${batchId}:${first.position}`, signal: job.signal }
  const answers = await provider.buyMany?.(quotes, terms).catch((error: unknown) => {
    if (error instanceof ProviderError || error instanceof LabelRefused) return error
    throw error
  })
  for (const each of held) {
    const answer = answers instanceof Error ? answers : answers?.get(each.quote?.shipment ?? '')
    const books = labelBooks(db, each.purchase)
    if (answer === undefined) continue
    if (answer instanceof Error) {
      each.failure = answer
      await books.notBought(1)
    } else {
      const trackingUrl = trackingPageOf(answer.carrier, answer.trackingCode)
      await books.bought(1, { label: answer, trackingUrl })
    }
  }
}

/** Null when its label is there. */
async function conclude(deps: ManyDeps, { purchase, failure }: Underway): Promise<string | null> {
  const { db, onUnsettled, onError } = deps
  try {
    const settled = await settlePurchase(db, purchase)
    if (settled.kind === 'bought') return await withoutFile(deps, purchase)
    onUnsettled()
    if (settled.kind !== 'failed') return refusals.labels_in_doubt.message
  } catch (error) {
    onUnsettled()
    if (error instanceof Refused) return reasonOf(error)
    throw error
  }
  const refusal = toLabelRefusal(failure)
  if (refusal === undefined && failure !== undefined) onError(failure)
  return (refusal ?? labelRefusal('general')).message
}

async function withoutFile({ db }: ManyDeps, { merchantId, purchaseId }: Purchase): Promise<string | null> {
  const [file] = await db.read(merchantId, ({ query }) =>
    query('select 1 from label_files where merchant_id = $1 and purchase_id = $2', [merchantId, purchaseId]),
  )
  return file === undefined ? messages.labelUnavailable : null
}

/** For somebody who reads it in a list of orders, where nobody has moved anything on. */
function reasonOf(error: Refused): string {
  const order = error.details.body?.['order'] as Order | undefined
  if (error.code !== 'invalid_transition' || order === undefined) return error.message
  if (isLocal(order.delivery.method)) return 'It is delivered locally, so it needs no label.'
  if (order.status === 'SUBMITTED') return 'It is not accepted yet.'
  if (order.status === 'MERCHANT_SHIPPED')
    return 'It is shipped already. Its labels are printed from the order.'
  return error.message
}
