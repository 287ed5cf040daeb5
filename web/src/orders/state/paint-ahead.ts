import type { QueryClient } from '@tanstack/react-query'
import { findListed, memoryOf, replaceOrder } from './order-cache.ts'
import type { Order } from './queries.ts'
import { orderQuery } from './queries.ts'

/**
 * Shows an order's probable new state before the server's answer. Returns the function that takes it back, which says
 * whether there was anything to take back: the event stream may have brought the outcome meanwhile. The state counts as
 * half a version ahead, so that earlier answers are older and the server's answer is newer.
 */
export function paintAhead(
  queryClient: QueryClient,
  order: Order,
  expected: (order: Order) => Order,
): () => boolean {
  const detailKey = orderQuery(order.id).queryKey
  const before: Order = queryClient.getQueryData(detailKey) ?? findListed(queryClient, order.id) ?? order
  const version = Math.floor(before.version) + 0.5
  replaceOrder(queryClient, { ...expected(before), version })
  return () => {
    const { versions } = memoryOf(queryClient)
    if (versions.get(order.id) !== version) return false
    versions.set(order.id, before.version)
    replaceOrder(queryClient, before)
    return true
  }
}
