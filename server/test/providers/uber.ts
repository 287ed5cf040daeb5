import { randomUUID } from 'node:crypto'
import type { LoopbackAnswer, LoopbackRequest } from '../processes/loopback.ts'

export interface UberDelivery {
  id: string
  external_id: string
  status: string
  [more: string]: unknown
}

export interface Uber {
  readonly deliveries: Map<string, UberDelivery>
  answer(request: LoopbackRequest): LoopbackAnswer
  /** How the answer to a creation fails. */
  losing: LoopbackAnswer | undefined
  isTokenGone: boolean
  /** What every answer about a delivery says in place of the truth. */
  odd: object
  /** Uber's pages promise neither. */
  listing: { most: number; isOldestFirst: boolean }
}

/** The settings of a server that asks it; a stand-in may have its two addresses anywhere. */
export function uberSettings(url: string, tokenUrl = `${url}/oauth/v2/token`) {
  return {
    UBER_CUSTOMER_ID: 'cus-1',
    UBER_CLIENT_ID: 'client-1',
    UBER_CLIENT_SECRET: 'client-secret',
    UBER_WEBHOOK_KEY: 'webhook-key',
    UBER_URL: url,
    UBER_TOKEN_URL: tokenUrl,
  }
}

/** Uber Direct as its documents describe it, with a memory. */
export function createUber(): Uber {
  const deliveries = new Map<string, UberDelivery>()
  const uber: Uber = {
    deliveries,
    losing: undefined,
    isTokenGone: false,
    odd: {},
    listing: { most: 50, isOldestFirst: false },
    answer({ method, path, json, query, headers }) {
      if (path === '/oauth/v2/token')
        return { json: { access_token: `token-${Date.now()}`, expires_in: 2_592_000 } }
      if (uber.isTokenGone) {
        uber.isTokenGone = false
        return { status: 401, json: { code: 'unauthorized' } }
      }
      if (!headers.authorization?.startsWith('Bearer token-')) return { status: 401, json: {} }
      const [, id = '', step] = path.replace('/v1/customers/cus-1/', '').split('/')
      if (path.endsWith('/delivery_quotes')) return { json: { id: 'dqt_1', fee: 850, currency: 'usd' } }
      if (method === 'POST' && path.endsWith('/deliveries')) return create(json)
      if (path.endsWith('/deliveries')) return { json: { data: listed(query) } }
      const known = deliveries.get(id)
      if (known === undefined) return { status: 404, json: { code: 'delivery_not_found' } }
      if (step === 'cancel') {
        if (known.status !== 'pending') return { status: 400, json: { code: 'noncancelable_delivery' } }
        known.status = 'canceled'
      }
      return { json: { ...known, ...uber.odd } }
    },
  }

  function create(json: unknown): LoopbackAnswer {
    const body = json as { external_id: string } | undefined
    const external_id = body?.external_id ?? ''
    if ([...deliveries.values()].some((known) => known.external_id === external_id))
      return { status: 409, json: { code: 'duplicate_delivery', kind: 'error' } }
    const delivery = {
      ...body,
      id: `del_${randomUUID()}`,
      external_id,
      created: new Date().toISOString(),
      status: 'pending',
      fee: 850,
      tracking_url: 'https://www.ubereats.com/orders/1',
      dropoff_eta: '2026-11-21T20:30:00Z',
    }
    deliveries.set(delivery.id, delivery)
    return uber.losing ?? { json: { ...delivery, ...uber.odd } }
  }

  /** List Deliveries takes `filter`, `limit` and `offset` alone. */
  function listed(query: URLSearchParams): UberDelivery[] {
    const { most, isOldestFirst } = uber.listing
    const offset = Number(query.get('offset') ?? 0)
    const all = [...deliveries.values()]
    return (isOldestFirst ? all : all.toReversed()).slice(
      offset,
      offset + Math.min(most, Number(query.get('limit') ?? 10)),
    )
  }
  return uber
}
