import type { IncomingHttpHeaders } from 'node:http'
import type { CourierState } from '@cellarhand/contract/courier-states'

/** The stages of a courier's way; a courier never goes back to an earlier one. */
export const courierStages = [
  'requested',
  'assigned',
  'picked_up',
  'delivered',
  'failed',
  'cancelled',
] as const
export type CourierStage = (typeof courierStages)[number]

/** Their names on the wire (GAP-136). */
export const wireStage = {
  requested: 'ORDER_REQUESTED',
  assigned: 'ORDER_ASSIGNED',
  picked_up: 'ORDER_PICKED_UP',
  delivered: 'ORDER_DELIVERED',
  failed: 'ORDER_FAILED',
  cancelled: 'ORDER_CANCELLED',
} as const satisfies Record<CourierStage, CourierState>

interface Stop {
  readonly name: string
  /** Street lines, city, state, zip. */
  readonly street: readonly string[]
  readonly city: string
  readonly state: string
  readonly zipcode: string
  readonly phone: string
  readonly instructions: string
}

/** A request to a courier service. */
export interface CourierJob {
  /** Our id for it. A second request with the same id is the same delivery. */
  readonly deliveryId: string
  readonly askedAt: Date
  readonly orderNumber: string
  readonly pickup: Stop
  readonly dropoff: Stop
  readonly packages: number
  readonly items: readonly { readonly name: string; readonly quantity: number; readonly priceCents: number }[]
  readonly valueCents: number
  readonly tipCents: number
}

/** One delivery, by our id and by the service's. */
export interface CourierKey {
  readonly deliveryId: string
  /** Unknown while no answer came. */
  readonly serviceId: string | null
  readonly askedAt: Date
}

export interface CourierNews {
  readonly stage: CourierStage
  readonly serviceId?: string | undefined
  readonly trackingUrl?: string | undefined
  readonly pickupAt?: string | undefined
  readonly deliveryAt?: string | undefined
  readonly feeCents?: number | undefined
  /** The reason for the failure, in words for the shop. */
  readonly reason?: string | undefined
}

/** What a service has of a hand-over. What it does not have, or not yet, is undefined. */
export interface CourierProof {
  readonly signedBy?: string | undefined
  /** Undefined where the service never says whether the ID was checked. */
  readonly isIdChecked?: boolean | undefined
  /** A picture. */
  readonly signature?: Buffer | undefined
}

/** The service refuses the request for a reason that the shop can act on. Nothing happened. */
export class CourierRefused extends Error {}

/** Why a courier who has left is not cancelled. */
export const tooLate = {
  picked_up: 'It is too late to cancel: the courier has picked up already.',
  delivered: 'It is too late to cancel: the courier has delivered already.',
}

export interface Callback {
  readonly headers: IncomingHttpHeaders
  /** As it was signed. */
  readonly rawBody: string
  /** The same, parsed; the service checks what it reads of it. */
  readonly body: unknown
}

/** The port to a service that brings orders to doors. */
export interface CourierService {
  /** The name for people. */
  readonly name: string
  /** Its part of the address of its callbacks. */
  readonly slug: string
  /** Whether the proof of each delivery says if the ID was checked. */
  readonly alwaysTellsIdCheck: boolean
  /** Throws CourierRefused, or ProviderError if the service itself fails. */
  request(job: CourierJob): Promise<CourierNews>
  /** The delivery's present state; undefined if the service does not know it. */
  look(key: CourierKey): Promise<CourierNews | undefined>
  /** A cancelled delivery stays cancelled. Throws CourierRefused if it is too late. */
  cancel(key: CourierKey): Promise<CourierNews>
  /** The proof of a delivery that is over. Throws ProviderError if the service itself fails. */
  proof(key: CourierKey): Promise<CourierProof>
  /**
   * Our ids of the deliveries that an authentic callback is about; undefined if it is not authentic. The server ignores
   * the callback's contents and asks the service.
   */
  readCallback(callback: Callback): readonly string[] | undefined
}

export interface CourierServices {
  /** Takes new requests. */
  readonly current: CourierService
  /** Every service that may have deliveries under way: the current one, and earlier ones that are still configured. */
  readonly all: readonly CourierService[]
}

/** The service of a delivery, whichever service takes new requests by now. */
export function serviceOf(
  { current, all }: CourierServices,
  { service }: { service: string },
): CourierService {
  // Where no service is set up, the current one is not among all: it says so itself.
  const found = [current, ...all].find(({ name }) => name === service)
  if (found === undefined)
    throw new CourierRefused(
      `A courier was requested at ${service}, which this server is no longer set up for. Please ask ${service}.`,
    )
  return found
}
