import type { QueryClient } from '@tanstack/react-query'
import { findListed, memoryOf, replaceOrder } from './order-cache.ts'
import type { Order } from './queries.ts'
import { orderQuery } from './queries.ts'

/**
 * Shows what an order will very probably be, before the server said so; returns what takes it back, and says whether
 * there was anything to take back: the live line may have told the outcome meanwhile. Half a version ahead: anything
 * that was asked for before is older, and the server's answer is newer.
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
