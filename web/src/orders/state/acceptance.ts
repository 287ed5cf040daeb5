import type { Order } from './queries.ts'
import { asSeen } from './seen-version.ts'

export interface Acceptance {
  id: string
  status: 'MERCHANT_ACCEPTED'
  version?: number
}

/** The body of the call that accepts an order as the clerk sees it. */
export function acceptanceOf(order: Pick<Order, 'id' | 'version'>): Acceptance {
  return { id: order.id, status: 'MERCHANT_ACCEPTED', ...asSeen(order) }
}
