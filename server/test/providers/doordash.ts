import type { LoopbackAnswer, LoopbackRequest } from '../processes/loopback.ts'

export interface DoorDashDelivery {
  delivery_status: string
  cancellation_reason?: string
  [more: string]: unknown
}

export interface DoorDashServer {
  /** By our id. */
  readonly deliveries: Map<string, DoorDashDelivery>
  answer(request: LoopbackRequest): LoopbackAnswer
  /** How the answer to an acceptance fails. */
  losing: LoopbackAnswer | undefined
  /** Why a cancel is refused. */
  whyNoCancel: string | undefined
  /** Quotes are neither made nor answered. */
  isDeaf: boolean
  /** What every answer says in place of the truth. */
  odd: object
}

/** DoorDash Drive as its documents describe it, with a memory. */
export function createDoorDashServer(): DoorDashServer {
  const deliveries = new Map<string, DoorDashDelivery>()
  const doordash: DoorDashServer = {
    deliveries,
    losing: undefined,
    whyNoCancel: undefined,
    isDeaf: false,
    odd: {},
    answer({ method, path, json }) {
      const body = json as { external_delivery_id: string } | undefined
      const [, kind, id = body?.external_delivery_id ?? '', step] = path.split('/')
      const known = deliveries.get(id)
      const gone = { status: 404, json: { code: 'unknown_delivery_id', message: 'Delivery was not found' } }
      if (method === 'POST' && kind === 'quotes' && step === undefined) {
        if (doordash.isDeaf) return 'hang'
        if (known) return { status: 409, json: { code: 'duplicate_delivery_id', message: 'Duplicate' } }
        const quote = { ...body, delivery_status: 'quote', fee: 975, currency: 'USD' }
        deliveries.set(id, quote)
        return { json: quote }
      }
      if (known === undefined) return gone
      if (step === 'accept') {
        Object.assign(known, {
          delivery_status: 'created',
          tracking_url: 'https://track.doordash.example/1',
          pickup_time_estimated: '2026-11-21T20:00:00Z',
          dropoff_time_estimated: '2026-11-21T20:30:00Z',
        })
        if (doordash.losing !== undefined) return doordash.losing
      }
      if (step === 'cancel') {
        if (doordash.whyNoCancel !== undefined)
          return {
            status: 400,
            json: { code: 'cancel_not_allowed', reason: doordash.whyNoCancel, message: 'Not now' },
          }
        if (known.delivery_status === 'picked_up')
          return { status: 400, json: { code: 'cancel_not_allowed', reason: 'delivery_picked_up' } }
        known.delivery_status = 'cancelled'
      }
      return { json: { ...known, ...doordash.odd } }
    },
  }
  return doordash
}
