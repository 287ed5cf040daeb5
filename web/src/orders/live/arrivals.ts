import { pendingOrders } from '../state/pending-orders.ts'
import type { Order } from '../state/queries.ts'

export function addPending(order: Order): void {
  const others = pendingOrders.get().filter((each) => each.id !== order.id)
  pendingOrders.set([order, ...others].toSorted((a, b) => (a.date_submitted < b.date_submitted ? 1 : -1)))
}

export function isPending(id: string): boolean {
  return pendingOrders.get().some((order) => order.id === id)
}

export function dropPending(id: string): void {
  if (isPending(id)) pendingOrders.set(pendingOrders.get().filter((order) => order.id !== id))
}
