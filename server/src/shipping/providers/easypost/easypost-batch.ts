import { isMoment } from '#platform/clock/zoned-time.ts'
import { inParallel } from '#platform/in-parallel.ts'
import { ProviderError } from '#platform/outside/provider-error.ts'
import type {
  LabelRefused,
  BoughtLabel,
  ManyTerms,
  NotFound,
  Quote,
  ShippingProvider,
} from '../../port/shipping-port.ts'
import { carrierNameOf, easyPostName as name, toRefusal, type Api } from './easypost-api.ts'
import { fieldOf, refusalOf } from './label-error-of.ts'

interface Single {
  readonly api: Api
  readonly find: ShippingProvider['find']
}

const waitMs = 60_000
/** How long to search for a purchase whose answer was lost; after that, the background work goes on searching. */
const lostWaitMs = 6_000
/** A batch may wait in EasyPost's queue before its purchase is visible. */
const queuedMs = 15 * 60_000
const pauseMs = 400
const atOnce = 4
const ended = ['purchased', 'purchase_failed', 'label_generating', 'label_generated']
const notOrdered = ['creating', 'creation_failed']
const failedStatuses = ['postage_purchase_failed', 'creation_failed']

/**
 * One batch for all of them: made, bought and waited for; then each shipment is read. EasyPost does not fully document
 * when it takes a batch of quoted shipments. If it refuses the whole batch, nothing was bought.
 */
export async function buyBatch(
  { api, find }: Single,
  quotes: readonly Quote[],
  terms: ManyTerms,
): Promise<ReadonlyMap<string, BoughtLabel | LabelRefused> | 'not_taken'> {
  const id = await makeBatch(api, quotes, terms)
  if (id === undefined) return 'not_taken'
  await terms.beforeMoney()
  const order = await orderBatch(api, id)
  if (order === 'refused') return 'not_taken'
  const batch = await waitFor(api, id, {
    isThere: (state) => ended.includes(state),
    limitMs: order === 'taken' ? waitMs : lostWaitMs,
    signal: terms.signal,
  })
  const answers = new Map<string, BoughtLabel | LabelRefused>()
  const listed = shipmentsOf(batch)
  await inParallel(quotes, atOnce, async (quote) => {
    const { shipment } = quote
    const told = listed.find((each) => fieldOf(each, 'id') === shipment)
    if (hasFailed(told)) return void answers.set(shipment, refusalIn(told, quote))
    const found = await find(shipment, terms).catch(() => 'under_way' as const)
    if (typeof found !== 'string') answers.set(shipment, found)
  })
  return answers
}

/** Undefined if EasyPost does not take these shipments as a batch. Buys nothing. */
async function makeBatch(
  api: Api,
  quotes: readonly Quote[],
  { reference, signal }: ManyTerms,
): Promise<string | undefined> {
  const shipments = quotes.map(({ shipment, service }) => ({ id: shipment, ...service }))
  try {
    const made = await api('POST', '/batches', { batch: { shipments, reference } })
    const id = fieldOf(made, 'id')
    if (typeof id !== 'string') throw new ProviderError({ provider: name, kind: 'malformed' })
    const isThere = (state: string) => state !== 'creating'
    const batch = isThere(stateOf(made)) ? made : await waitFor(api, id, { isThere, limitMs: waitMs, signal })
    if (stateOf(batch) === 'created') return id
    if (stateOf(batch) === 'creation_failed') return undefined
    throw new ProviderError({ provider: name, kind: 'no_answer' })
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    if (error.kind === 'rejected') return undefined
    throw error.kind === 'unauthorized' ? toRefusal(error) : error
  }
}

async function orderBatch(api: Api, id: string): Promise<'taken' | 'lost' | 'refused'> {
  try {
    await api('POST', `/batches/${encodeURIComponent(id)}/buy`)
    return 'taken'
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    if (error.isEffectUnknown) return 'lost'
    if (error.kind === 'rejected') return 'refused'
    throw error.kind === 'unauthorized' ? toRefusal(error) : error
  }
}

interface Waiting {
  readonly isThere: (state: string) => boolean
  readonly limitMs: number
  readonly signal: AbortSignal
}

/** The batch's last known state. A failed look is no failure: it is repeated until the time is up. */
async function waitFor(api: Api, id: string, { isThere, limitMs, signal }: Waiting): Promise<unknown> {
  const until = api.clock.readingMs() + limitMs
  let batch: unknown
  while (api.clock.readingMs() < until && !signal.aborted) {
    batch = (await api('GET', `/batches/${encodeURIComponent(id)}`).catch(() => undefined)) ?? batch
    if (isThere(stateOf(batch))) break
    await api.clock.sleep(pauseMs)
  }
  return batch
}

/** For a shipment without postage: whether a batch may still buy it. */
export async function stillBuying(api: Api, shipment: unknown): Promise<NotFound> {
  const id = fieldOf(shipment, 'batch_id')
  if (typeof id !== 'string' || hasFailed(shipment)) return 'not_bought'
  const batch = await api('GET', `/batches/${encodeURIComponent(id)}`)
  const state = stateOf(batch)
  if (notOrdered.includes(state) || ended.includes(state)) return 'not_bought'
  const madeAt = fieldOf(batch, 'created_at')
  const isOld = isMoment(madeAt) && api.clock.nowMs() - Date.parse(madeAt) >= queuedMs
  // A state or an age that is unreadable leaves the doubt: a second purchase would cost a second time.
  return state === 'created' && isOld ? 'not_bought' : 'under_way'
}

function stateOf(batch: unknown): string {
  return String(fieldOf(batch, 'state'))
}

function shipmentsOf(batch: unknown): readonly unknown[] {
  const listed = fieldOf(batch, 'shipments')
  return Array.isArray(listed) ? (listed as unknown[]) : []
}

function hasFailed(shipment: unknown): boolean {
  return failedStatuses.includes(String(fieldOf(shipment, 'batch_status')))
}

function refusalIn(shipment: unknown, { service }: Quote): LabelRefused {
  const message = fieldOf(shipment, 'batch_message')
  const carrier = service === undefined ? null : carrierNameOf(service.carrier)
  const words = typeof message === 'string' && message !== '' ? [{ message, carrier }] : []
  return refusalOf({ codes: [], fields: [], words })
}
