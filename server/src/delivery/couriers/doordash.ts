import { maybe, text } from '@cellarhand/contract/fields'
import { SignJWT } from 'jose'
import { Type } from 'typebox'
import { createBodyReader } from '#platform/http/callback-body.ts'
import { entryOf, fieldsOf, httpsOnly, textOf } from '#platform/outside/answers.ts'
import { createOutside, type Outside, type OutsideOptions } from '#platform/outside/outside.ts'
import { plainWords } from '#platform/outside/plain-words.ts'
import { ProviderError } from '#platform/outside/provider-error.ts'
import { readBasicCredential, sameSecret } from '#platform/same-secret.ts'
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

export interface DoorDashSettings {
  readonly url: string
  readonly developerId: string
  readonly keyId: string
  /** In base64, as DoorDash shows it. */
  readonly signingSecret: string
  /** name:secret that DoorDash's webhook sends as Basic credential, because it signs nothing. */
  readonly webhookCredential: string
}

const name = 'DoorDash'
const tokenSeconds = 300

/** The parts of DoorDash's delivery that are read here. Any of them may be missing, or of another form. */
interface Delivery {
  readonly external_delivery_id?: unknown
  readonly delivery_status?: unknown
  readonly fee?: unknown
  readonly tracking_url?: unknown
  readonly pickup_time_estimated?: unknown
  readonly dropoff_time_estimated?: unknown
  readonly cancellation_reason?: unknown
  /** Neither the signer's name nor the result of the ID check is among DoorDash's fields. */
  readonly dropoff_signature_image_url?: unknown
}

const stages: Readonly<Record<string, CourierStage>> = {
  created: 'requested',
  confirmed: 'assigned',
  enroute_to_pickup: 'assigned',
  arrived_at_pickup: 'assigned',
  picked_up: 'picked_up',
  enroute_to_dropoff: 'picked_up',
  arrived_at_dropoff: 'picked_up',
  delivered: 'delivered',
  // On the way back, the courier still has the bottles.
  enroute_to_return: 'picked_up',
  arrived_at_return: 'picked_up',
  returned: 'failed',
  cancelled: 'cancelled',
}

const refusals: Readonly<Record<string, string>> = {
  distance_too_long: 'This address is too far away for a courier.',
  pickup_address_not_in_coverage: 'DoorDash does not serve the address of the store.',
  delivery_address_not_in_coverage: 'No courier serves this address.',
  outside_of_delivery_time: 'Couriers do not deliver at this hour.',
}

const readEvent = createBodyReader(Type.Object({ external_delivery_id: maybe(text(200)) }))

/** DoorDash Drive v2. Every delivery says that it holds alcohol, and asks for the recipient's ID and signature. */
export function createDoorDash(
  settings: DoorDashSettings,
  options: Pick<OutsideOptions, 'health' | 'timeoutMs' | 'firstWaitMs'>,
): CourierService {
  const outside = createOutside({ provider: name, ...options, codeOf })
  const ask = async (
    request: Pick<Parameters<Outside['call']>[0], 'method' | 'json' | 'isIdempotent'>,
    path: string,
  ) => {
    const answer = await outside.call({
      ...request,
      url: `${settings.url}${path}`,
      headers: { authorization: `Bearer ${await tokenOf(settings)}` },
    })
    return (answer.json ?? {}) as Delivery
  }
  const pathOf = ({ deliveryId }: Pick<CourierKey, 'deliveryId'>) =>
    `/deliveries/${encodeURIComponent(deliveryId)}`

  async function read(key: Pick<CourierKey, 'deliveryId'>): Promise<Delivery | undefined> {
    try {
      return await ask({ method: 'GET' }, pathOf(key))
    } catch (error) {
      if (error instanceof ProviderError && error.status === 404) return undefined
      throw error
    }
  }

  /** The quote carries our own id, so that a second request finds the same quote. */
  async function quote(job: CourierJob): Promise<Delivery> {
    try {
      return await ask({ method: 'POST', json: requestOf(job), isIdempotent: true }, '/quotes')
    } catch (error) {
      const known = isRefusal(error) ? await read(job) : undefined
      if (known === undefined) throw wordsFor(error)
      return known
    }
  }

  async function accept(job: CourierJob): Promise<Delivery> {
    try {
      const json = { tip: job.tipCents, dropoff_phone_number: job.dropoff.phone }
      return await ask({ method: 'POST', json }, `/quotes/${encodeURIComponent(job.deliveryId)}/accept`)
    } catch (error) {
      const known = isRefusal(error) ? await read(job) : undefined
      if (known === undefined || isOnlyQuoted(known)) throw wordsFor(error)
      return known
    }
  }

  return {
    name,
    slug: 'doordash',
    alwaysTellsIdCheck: false,
    async request(job) {
      const quoted = await quote(job)
      return newsOf(isOnlyQuoted(quoted) ? await accept(job) : quoted)
    },
    async look(key) {
      const delivery = await read(key)
      return delivery === undefined || isOnlyQuoted(delivery) ? undefined : newsOf(delivery)
    },
    async cancel(key) {
      try {
        return newsOf(await ask({ method: 'PUT', isIdempotent: true }, `${pathOf(key)}/cancel`), 'cancelled')
      } catch (error) {
        if (!isRefusal(error)) throw error
        const delivery = await read(key)
        // A delivery that DoorDash is still creating is not found yet, and its courier comes.
        const isGone = delivery === undefined && refusalReasonOf(error) !== 'delivery_creation_in_progress'
        if (isGone || delivery?.delivery_status === 'cancelled') return { stage: 'cancelled' }
        throw new CourierRefused(whyNotCancelled(error))
      }
    },
    async proof(key) {
      const url = pictureUrl((await read(key))?.dropoff_signature_image_url, settings.url)
      if (url === undefined) return {}
      // The address carries its own right to the picture, and may lie on another host.
      const { bytes } = await outside.call({
        method: 'GET',
        url,
        expect: 'bytes',
        headers: { accept: 'image/*' },
      })
      return { signature: bytes }
    },
    readCallback({ headers, body }) {
      if (!sameSecret(readBasicCredential(headers.authorization), settings.webhookCredential))
        return undefined
      const { external_delivery_id: id } = readEvent(body)
      return id == null ? [] : [id]
    },
  }
}

async function tokenOf({ developerId, keyId, signingSecret }: DoorDashSettings): Promise<string> {
  return new SignJWT({ kid: keyId })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT', 'dd-ver': 'DD-JWT-V1' })
    .setAudience('doordash')
    .setIssuer(developerId)
    .setIssuedAt()
    .setExpirationTime(`${tokenSeconds}s`)
    .sign(Buffer.from(signingSecret, 'base64'))
}

/** There is no field for the number of bags, so the courier reads it in the pickup notes. */
function requestOf({ deliveryId, orderNumber, pickup, dropoff, packages, items, ...money }: CourierJob) {
  const bags = packages === 1 ? '1 bag' : `${packages} bags`
  // DoorDash wants a family name for alcohol; of a name of one word, that is it.
  const [given = '', ...family] = dropoff.name.trim().split(/\s+/)
  return {
    external_delivery_id: deliveryId,
    locale: 'en-US',
    pickup_business_name: pickup.name,
    pickup_address: addressOf(pickup),
    pickup_phone_number: pickup.phone,
    pickup_instructions: [`${bags}.`, pickup.instructions].join(' ').trim(),
    pickup_reference_tag: `Order ${orderNumber}`,
    dropoff_address: addressOf(dropoff),
    dropoff_contact_given_name: given,
    dropoff_contact_family_name: family.join(' ') || given,
    dropoff_phone_number: dropoff.phone,
    dropoff_instructions: dropoff.instructions,
    order_value: money.valueCents,
    tip: money.tipCents,
    items: items.map(({ name: title, quantity, priceCents }) => ({
      name: title,
      quantity,
      price: priceCents,
    })),
    order_contains: { alcohol: true },
    dropoff_options: { id_verification: 'required', signature: 'required' },
    contactless_dropoff: false,
    action_if_undeliverable: 'return_to_pickup',
  }
}

function addressOf({ street, city, state, zipcode }: CourierJob['pickup']): string {
  return `${street.join(', ')}, ${city}, ${state} ${zipcode}`
}

/** DoorDash itself, or any host over TLS. */
function pictureUrl(url: unknown, ofDoorDash: string): string | undefined {
  return typeof url === 'string' && url.startsWith(`${new URL(ofDoorDash).origin}/`) ? url : httpsOnly(url)
}

function isOnlyQuoted({ delivery_status }: Delivery): boolean {
  return delivery_status === 'quote'
}

function newsOf(delivery: Delivery, otherwise: CourierStage = 'requested'): CourierNews {
  const stage = entryOf(stages, delivery.delivery_status) ?? otherwise
  return {
    stage: stage === 'cancelled' && hasFailed(delivery) ? 'failed' : stage,
    serviceId: textOf(delivery.external_delivery_id),
    trackingUrl: httpsOnly(delivery.tracking_url),
    pickupAt: timeOf(delivery.pickup_time_estimated),
    deliveryAt: timeOf(delivery.dropoff_time_estimated),
    feeCents: centsOf(delivery.fee),
    reason: reasonOf(delivery),
  }
}

function hasFailed({ cancellation_reason }: Delivery): boolean {
  return nameOf(cancellation_reason)?.startsWith('failed_') === true
}

function reasonOf({ delivery_status, cancellation_reason }: Delivery): string | undefined {
  const why = nameOf(cancellation_reason)
  if (delivery_status === 'returned') return 'The courier could not hand it over and brought it back'
  if (delivery_status !== 'cancelled') return undefined
  if (why === 'failed_to_assign_and_refunded') return 'No courier was found'
  return why?.startsWith('failed_') === true
    ? `The courier failed (${why.replaceAll('_', ' ')})`
    : 'The courier was cancelled'
}

interface Problem {
  readonly reason?: unknown
  readonly message?: unknown
  readonly field_errors?: readonly ({ readonly field?: unknown; readonly error?: unknown } | null)[]
}

function codeOf(answer: unknown): string | undefined {
  const { code } = fieldsOf(answer)
  return typeof code === 'string' ? code : undefined
}

function isRefusal(error: unknown): error is ProviderError {
  return error instanceof ProviderError && error.kind === 'rejected'
}

const cancelRefusals: Readonly<Record<string, string>> = {
  delivery_picked_up: tooLate.picked_up,
  delivery_completed: tooLate.delivered,
  delivery_abandoned: 'DoorDash has given this delivery up, so there is nothing to cancel.',
  cancellation_window_closed: 'It is too late to cancel: the courier is too far on the way.',
  delivery_creation_in_progress:
    'DoorDash is still taking the request, so it cannot be cancelled yet. Please try again in a minute.',
  duplicate_request: 'DoorDash is already cancelling this delivery. Please look again in a minute.',
}

function refusalReasonOf(error: ProviderError): unknown {
  return ((error.answer ?? {}) as Problem).reason
}

function whyNotCancelled(error: ProviderError): string {
  const known = entryOf(cancelRefusals, refusalReasonOf(error))
  if (known !== undefined) return known
  const { message } = (error.answer ?? {}) as Problem
  return typeof message === 'string'
    ? `DoorDash did not cancel it: ${plainWords(message, 200)}`
    : 'DoorDash did not cancel it. Please refresh to see where the courier is.'
}

function wordsFor(error: unknown): unknown {
  if (!isRefusal(error)) return error
  const { reason, field_errors: fields, message } = (error.answer ?? {}) as Problem
  const known = entryOf(refusals, reason)
  if (known !== undefined) return new CourierRefused(known)
  const first = Array.isArray(fields) ? fields.find((each) => typeof each?.error === 'string') : undefined
  if (typeof first?.error === 'string') {
    const at = typeof first.field === 'string' ? plainWords(first.field, 100).replaceAll('_', ' ') : 'a field'
    return new CourierRefused(`DoorDash did not accept ${at}: ${plainWords(first.error, 200)}`)
  }
  return new CourierRefused(
    typeof message === 'string' ? `DoorDash says: ${plainWords(message, 200)}` : error.advice,
  )
}
