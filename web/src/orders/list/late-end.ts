import { displayGroupOf } from '@cellarhand/contract/order-statuses'
import { useServerTime } from '#lib/time/server-clock.ts'
import type { Order } from '../state/queries.ts'

export type Orders = readonly Order[]

/** Where the late orders end, in a list that is due first; 0 without a late one. */
export function useLateEnd(orders: Orders, isDueFirst: boolean): number {
  const now = new Date(useServerTime()).toISOString()
  if (!isDueFirst) return 0
  const end = orders.findIndex(({ on_track_status: badge }) => (badge?.deadline_at ?? '~') >= now)
  const lateEnd = end === -1 ? orders.length : end
  // Mostly the first of them is one, and no other is looked at.
  const first = orders.findIndex(isHere)
  return first !== -1 && first < lateEnd ? lateEnd : 0
}

export function lateOf(orders: Orders, lateEnd: number): Orders {
  return orders.slice(0, lateEnd).filter(isHere)
}

/** An order that is out for delivery is past its deadline and not late: nobody in the shop can hurry it. */
function isHere(order: Order): boolean {
  return displayGroupOf(order.status, order.printed_timestamp) !== 'shipped'
}
