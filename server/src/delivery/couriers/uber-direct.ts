import { createHmac } from 'node:crypto'
import { maybe, text } from '@cellarhand/contract/fields'
import { Type } from 'typebox'
import { createBodyReader } from '#platform/http/callback-body.ts'
import { entryOf, fieldsOf, httpsOnly, textOf } from '#platform/outside/answers.ts'
import { createOutside, type Outside, type OutsideOptions } from '#platform/outside/outside.ts'
import { ProviderError } from '#platform/outside/provider-error.ts'
import { sameSecret } from '#platform/same-secret.ts'
import {
  CourierRefused,
  type CourierJob,
  type CourierKey,
  type CourierNews,
  type CourierService,
  type CourierStage,
  tooLate,
} from './courier.ts'
import { centsOf, nameOf, timeOf } from './provider-answers.ts'

export interface UberSettings {
  /** Ends with the customer's id. */
  readonly url: string
  readonly tokenUrl: string
  readonly clientId: string
  readonly clientSecret: string
  /** The webhook's signing key. */
  readonly webhookKey: string
}

const name = 'Uber Direct'
/** A new token is requested this long before the old one ends. */
const tokenMarginMs = 120_000
const longestNotes = 280
const pageSize = 50
/** Far more deliveries than an account has between a lost answer and the search for it. */
const mostPages = 100
/** Uber's clock and ours differ by less. */
const clockMarginMs = 3_600_000

/** Any of it may be missing, or of another form. */
interface Delivery {
  readonly id?: unknown
  readonly external_id?: unknown
  readonly status?: unknown
  readonly fee?: unknown
  readonly tracking_url?: unknown
  readonly pickup_eta?: unknown
  readonly dropoff_eta?: unknown
  readonly created?: unknown
  readonly dropoff?: {
    readonly verification?: {
      readonly signature?: { readonly signer_name?: unknown } | null
      readonly identification?: { readonly min_age_verified?: unknown } | null
    } | null
  } | null
  /** Of the call for a proof alone. */
  readonly document?: unknown
  readonly related_deliveries?: unknown
}

const stages: Readonly<Record<string, CourierStage>> = {
  pending: 'requested',
  pickup: 'assigned',
  pickup_complete: 'picked_up',
  dropoff: 'picked_up',
  delivered: 'delivered',
  canceled: 'cancelled',
  // A delivery of its own brings the bottles back. Until that is over the courier has them.
  returned: 'picked_up',
}

const refusals: Readonly<Record<string, string>> = {
  address_undeliverable: 'No courier serves this address.',
  address_undeliverable_limited_couriers: 'No courier serves this address right now.',
  unknown_location: 'The courier service cannot find this address.',
  couriers_busy: 'All couriers are busy right now. Please try again in a few minutes.',
  invalid_params: 'The courier service did not accept the address or the phone number.',
}

const readEvent = createBodyReader(
  Type.Object({
    kind: maybe(text(100)),
    external_id: maybe(text(200)),
    data: maybe(Type.Object({ external_id: maybe(text(200)) })),
  }),
)

/** Uber Direct: a quote, then a delivery with it. The recipient shows an ID that says at least 21. */
export function createUberDirect(
  settings: UberSettings,
  options: Pick<OutsideOptions, 'health' | 'timeoutMs' | 'firstWaitMs'>,
): CourierService {
  const outside = createOutside({ provider: name, ...options, codeOf })
  const tokens = createTokens(outside, settings)

  async function ask(
    request: Pick<Parameters<Outside['call']>[0], 'method' | 'json' | 'isIdempotent'>,
    path: string,
  ): Promise<Delivery> {
    const call = async () => {
      const headers = { authorization: `Bearer ${await tokens.get()}` }
      return ((await outside.call({ ...request, url: `${settings.url}${path}`, headers })).json ??
        {}) as Delivery
    }
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof ProviderError && error.status === 401)) throw error
      // The token was revoked early: one more try with a new one.
      tokens.forget()
      return call()
    }
  }

  async function read(id: string): Promise<Delivery | undefined> {
    try {
      return await ask({ method: 'GET' }, `/deliveries/${encodeURIComponent(id)}`)
    } catch (error) {
      if (error instanceof ProviderError && error.status === 404) return undefined
      throw error
    }
  }

  async function find(key: CourierKey): Promise<Delivery | undefined> {
    return key.serviceId === null ? search(key) : read(key.serviceId)
  }

  /** Uber's own name is only known once an answer came, and its list cannot be asked for ours: so page by page. */
  async function search({
    deliveryId,
    askedAt,
  }: Pick<CourierKey, 'deliveryId' | 'askedAt'>): Promise<Delivery | undefined> {
    const oldest = askedAt.getTime() - clockMarginMs
    let offset = 0
    for (let page = 0; page < mostPages; page++) {
      const { data } = (await ask({ method: 'GET' }, `/deliveries?limit=${pageSize}&offset=${offset}`)) as {
        data?: readonly (Delivery | null)[]
      }
      if (!Array.isArray(data)) break
      const found = data.find((delivery) => delivery?.external_id === deliveryId)
      if (found !== undefined || data.length === 0 || isBefore(data, oldest)) return found
      offset += data.length
    }
    // Not found is not the same as not there: it stays unknown, and no second courier is asked for.
    throw new ProviderError({ provider: name, kind: 'malformed' })
  }

  /** What comes back is over when the delivery of the way back is. */
  async function newsOf(delivery: Delivery): Promise<CourierNews> {
    if (delivery.status !== 'returned') return plainNewsOf(delivery)
    const id = wayBackOf(delivery)
    const reason = id === undefined ? undefined : endsOfTheWayBack.get((await read(id))?.status)
    return { ...plainNewsOf(delivery), ...(reason === undefined ? {} : { stage: 'failed', reason }) }
  }

  return {
    name,
    slug: 'uber',
    alwaysTellsIdCheck: true,
    async request(job) {
      try {
        const quote = await ask(
          { method: 'POST', json: quoteOf(job), isIdempotent: true },
          '/delivery_quotes',
        )
        const json = { ...deliveryOf(job), quote_id: quote.id }
        return await newsOf(await ask({ method: 'POST', json }, '/deliveries'))
      } catch (error) {
        if (!isRefusal(error)) throw error
        const known = error.code === 'duplicate_delivery' ? await search(job) : undefined
        if (known !== undefined) return await newsOf(known)
        throw new CourierRefused(entryOf(refusals, error.code) ?? 'Uber Direct did not take this delivery.')
      }
    },
    async look(key) {
      const delivery = await find(key)
      return delivery === undefined ? undefined : newsOf(delivery)
    },
    async cancel(key) {
      const delivery = await find(key)
      if (delivery === undefined || delivery.status === 'canceled') return { stage: 'cancelled' }
      const id = textOf(delivery.id) ?? key.serviceId
      if (id === null) throw new ProviderError({ provider: name, kind: 'malformed' })
      try {
        const { status } = await ask(
          { method: 'POST', json: {}, isIdempotent: true },
          `/deliveries/${encodeURIComponent(id)}/cancel`,
        )
        return { stage: entryOf(stages, status) ?? 'cancelled' }
      } catch (error) {
        if (!isRefusal(error)) throw error
        const now = await read(id)
        if (now === undefined || now.status === 'canceled') return { stage: 'cancelled' }
        throw new CourierRefused(whyNotCancelled(now))
      }
    },
    async proof(key) {
      const delivery = await find(key)
      const id = textOf(delivery?.id)
      if (id === undefined) return {}
      const { signature, identification } = delivery?.dropoff?.verification ?? {}
      return {
        signedBy: nameOf(signature?.signer_name),
        isIdChecked: identification?.min_age_verified === true,
        signature: await signatureOf(ask, id),
      }
    },
    readCallback({ headers, rawBody, body }) {
      const due = createHmac('sha256', settings.webhookKey).update(rawBody).digest('hex')
      if (!sameSecret(String(headers['x-uber-signature'] ?? ''), due)) return undefined
      const event = readEvent(body)
      // Where the courier is comes every 20 seconds and changes nothing.
      if (event.kind === 'event.courier_update') return []
      const id = event.data?.external_id ?? event.external_id
      return id == null ? [] : [id]
    },
  }
}

type Ask = (
  request: Pick<Parameters<Outside['call']>[0], 'method' | 'json' | 'isIdempotent'>,
  path: string,
) => Promise<Delivery>

/** Uber draws it into a PNG, and answers 404 before it is there and after 30 days. */
async function signatureOf(ask: Ask, id: string): Promise<Buffer | undefined> {
  const json = { waypoint: 'dropoff', type: 'signature' }
  const path = `/deliveries/${encodeURIComponent(id)}/proof-of-delivery`
  try {
    const { document } = await ask({ method: 'POST', json, isIdempotent: true }, path)
    return typeof document === 'string' ? Buffer.from(document, 'base64') : undefined
  } catch (error) {
    if (error instanceof ProviderError && error.status === 404) return undefined
    throw error
  }
}

function createTokens(outside: Outside, { tokenUrl, clientId, clientSecret }: UberSettings) {
  let token: { text: string; until: number } | undefined
  return {
    async get(): Promise<string> {
      if (token !== undefined && token.until > outside.clock.nowMs()) return token.text
      const form = new URLSearchParams({
        client_id: clientId,
        client_secret: clientSecret,
        grant_type: 'client_credentials',
        scope: 'eats.deliveries',
      })
      const answer = await outside.call({ method: 'POST', url: tokenUrl, form, isIdempotent: true })
      const { access_token: text, expires_in: seconds } = fieldsOf(answer.json)
      if (typeof text !== 'string') throw new ProviderError({ provider: name, kind: 'malformed' })
      token = { text, until: outside.clock.nowMs() + (Number(seconds) || 0) * 1000 - tokenMarginMs }
      return text
    },
    forget(): void {
      token = undefined
    },
  }
}

function addressOf({ street, city, state, zipcode }: CourierJob['pickup']): string {
  return JSON.stringify({ street_address: street, city, state, zip_code: zipcode, country: 'US' })
}

function quoteOf({ pickup, dropoff, ...job }: CourierJob) {
  return {
    pickup_address: addressOf(pickup),
    pickup_phone_number: pickup.phone,
    dropoff_address: addressOf(dropoff),
    dropoff_phone_number: dropoff.phone,
    manifest_total_value: job.valueCents,
    external_id: job.deliveryId,
  }
}

function deliveryOf({ pickup, dropoff, packages, items, ...job }: CourierJob) {
  const bags = packages === 1 ? '1 bag' : `${packages} bags`
  return {
    ...quoteOf({ pickup, dropoff, packages, items, ...job }),
    idempotency_key: job.deliveryId,
    pickup_name: pickup.name,
    pickup_notes: `Order ${job.orderNumber}, ${bags}. ${pickup.instructions}`.trim().slice(0, longestNotes),
    dropoff_name: dropoff.name,
    dropoff_notes: dropoff.instructions.slice(0, longestNotes),
    manifest_reference: job.orderNumber,
    manifest_items: items.map(({ name: title, quantity, priceCents }) => ({
      name: title,
      quantity,
      price: priceCents,
      size: 'small',
    })),
    tip: job.tipCents,
    undeliverable_action: 'return',
    dropoff_verification: {
      identification: { min_age: 21 },
      signature_requirement: { enabled: true, collect_signer_name: true },
    },
  }
}

const endsOfTheWayBack: ReadonlyMap<unknown, string> = new Map([
  ['delivered', 'The courier could not hand it over and brought it back'],
  ['canceled', 'The courier could not hand it over, and the way back was cancelled. Please ask Uber Direct.'],
])

/** The id of the delivery that brings it back. */
function wayBackOf({ related_deliveries: related }: Delivery): string | undefined {
  const all = Array.isArray(related) ? (related as readonly unknown[]) : []
  const ids = all.map((each) => {
    const { id, relationship } = (each ?? {}) as { readonly id?: unknown; readonly relationship?: unknown }
    const known = textOf(id)
    return relationship === 'returned' || known?.startsWith('ret_') === true ? known : undefined
  })
  return ids.find((id) => id !== undefined)
}

/** A whole page from before the request, of a list that begins with the newest. */
function isBefore(page: readonly (Delivery | null)[], oldest: number): boolean {
  const times = page.map((delivery) => Date.parse(timeOf(delivery?.created) ?? ''))
  const [first = Number.NaN] = times
  const last = times.at(-1) ?? Number.NaN
  return first >= last && times.every((time) => time < oldest)
}

/** By where the courier is: Uber gives one code for every delivery that it does not cancel. */
function whyNotCancelled({ status }: Delivery): string {
  if (status === 'delivered') return tooLate.delivered
  if (status === 'returned') return 'It is too late to cancel: the courier is bringing it back.'
  if (status === 'pending') return 'Uber Direct did not cancel it. Please try again in a minute.'
  return status === 'pickup'
    ? 'It is too late to cancel: the courier is on the way to the store.'
    : tooLate.picked_up
}

function plainNewsOf(delivery: Delivery): CourierNews {
  const stage = entryOf(stages, delivery.status) ?? 'requested'
  return {
    stage,
    serviceId: textOf(delivery.id),
    trackingUrl: httpsOnly(delivery.tracking_url),
    pickupAt: timeOf(delivery.pickup_eta),
    deliveryAt: timeOf(delivery.dropoff_eta),
    feeCents: centsOf(delivery.fee),
    reason: stage === 'cancelled' ? 'The courier was cancelled' : undefined,
  }
}

function codeOf(answer: unknown): string | undefined {
  const { code } = fieldsOf(answer)
  return typeof code === 'string' ? code : undefined
}

function isRefusal(error: unknown): error is ProviderError {
  return error instanceof ProviderError && error.kind === 'rejected'
}
