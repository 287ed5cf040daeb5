import type { IncomingHttpHeaders } from 'node:http'

/** Where a courier is with an order; a later one never goes back to an earlier one. */
export const courierStages = [
  'requested',
  'assigned',
  'picked_up',
  'delivered',
  'failed',
  'cancelled',
] as const
export type CourierStage = (typeof courierStages)[number]

/** What the wire calls them (GAP-136). */
export const wireStage = {
  requested: 'ORDER_REQUESTED',
  assigned: 'ORDER_ASSIGNED',
  picked_up: 'ORDER_PICKED_UP',
  delivered: 'ORDER_DELIVERED',
  failed: 'ORDER_FAILED',
  cancelled: 'ORDER_CANCELLED',
} as const satisfies Record<CourierStage, string>

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

/** What is asked of a courier service. */
export interface CourierJob {
  /** Our name for it. Asking again under the same name is the same delivery. */
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

/** One delivery, by our name and by the service's. */
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
  /** Why it failed, in words for the shop. */
  readonly reason?: string | undefined
}

/** The service will not do what it was asked, for a reason that the shop can act on. Nothing happened. */
export class CourierRefused extends Error {}

export interface Callback {
  readonly headers: IncomingHttpHeaders
  /** As it was signed. */
  readonly rawBody: string
  /** The same, parsed; the service checks what it reads of it. */
  readonly body: unknown
}

/** The port to whoever brings orders to doors. */
export interface CourierService {
  /** As people read it. */
  readonly name: string
  /** Its part of the address that it calls back. */
  readonly slug: string
  /** Throws CourierRefused, or ProviderError when it is the service that fails. */
  request(job: CourierJob): Promise<CourierNews>
  /** How it stands; undefined when the service knows nothing of it. */
  look(key: CourierKey): Promise<CourierNews | undefined>
  /** What is cancelled already stays so. Throws CourierRefused when it is too late. */
  cancel(key: CourierKey): Promise<CourierNews>
  /**
   * Our names of the deliveries that an authentic callback is about; undefined when it is not authentic. What it says
   * of them is not believed: the service is asked.
   */
  readCallback(callback: Callback): readonly string[] | undefined
}

export interface CourierServices {
  /** Takes the new requests. */
  readonly current: CourierService
  /** Whoever may have deliveries under way: the current one, and those of before whose settings are still there. */
  readonly all: readonly CourierService[]
}

/** Who a delivery was asked of, whoever takes the new ones by now. */
export function serviceOf({ all }: CourierServices, { service }: { service: string }): CourierService {
  const found = all.find(({ name }) => name === service)
  if (found === undefined)
    throw new CourierRefused(
      `A courier was requested at ${service}, which this server is no longer set up for. Please ask ${service}.`,
    )
  return found
}
