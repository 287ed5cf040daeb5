import type { QueryClient } from '@tanstack/react-query'
import { loadedLists, memoryOf, rowsOf } from '../state/order-cache.ts'
import { detailLine, listLine, orderQuery, type Order } from '../state/queries.ts'

/**
 * Asks again for the orders that an answer brought in an older state than the page already knows. Returns the function
 * that ends this.
 */
export function followOlder(queryClient: QueryClient, ask: (id: string) => void): () => void {
  const { versions } = memoryOf(queryClient)
  const isOlder = ({ id, version }: Order): boolean => version < Math.floor(versions.get(id) ?? 0)
  const lookAt = (queryKey: readonly unknown[]): void => {
    const list = loadedLists(queryClient).find(([, , key]) => key === queryKey)
    const order =
      queryKey[0] === detailLine && queryClient.getQueryData(orderQuery(String(queryKey[1])).queryKey)
    const found = [...(list ? rowsOf(list[1]) : []), ...(order ? [order] : [])]
    for (const { id } of found.filter(isOlder)) ask(id)
  }
  return queryClient.getQueryCache().subscribe((event) => {
    const { queryKey } = event.query
    if (event.type !== 'updated' || (queryKey[0] !== listLine && queryKey[0] !== detailLine)) return
    if (event.action.type !== 'success' || event.action.manual) return
    // After the changes that were put back into the answer.
    queueMicrotask(() => lookAt(queryKey))
  })
}
