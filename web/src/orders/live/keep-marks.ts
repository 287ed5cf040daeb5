import type { Query, QueryClient } from '@tanstack/react-query'

/**
 * Keeps the mark of an answer that has to be asked for again until a newer answer is there. The query cache loses it
 * when a row is written into the answer, when a fetch is given up, and when the first answer is under way, which may be
 * older than the news. Returns the function that ends this.
 */
export function keepMarks(queryClient: QueryClient): () => void {
  const cache = queryClient.getQueryCache()
  const marked = new Set<Query>()
  const markedEarly = new Set<Query>()
  return cache.subscribe((event) => {
    const { type, query } = event
    if (type === 'removed') {
      marked.delete(query)
      markedEarly.delete(query)
    }
    if (type !== 'updated') return
    const { action } = event
    if (action.type === 'invalidate') {
      marked.add(query)
      if (query.state.data === undefined && query.state.fetchStatus === 'fetching') markedEarly.add(query)
    } else if (action.type === 'success' && !action.manual) {
      marked.delete(query)
      // Not within the answer's own event, because the news would join its fetch again.
      if (markedEarly.delete(query)) queueMicrotask(() => void askAgain(query))
    } else if ((action.type === 'success' || action.type === 'setState') && marked.has(query)) {
      query.invalidate()
    }
  })

  function askAgain({ queryKey }: Query): Promise<void> {
    return queryClient.invalidateQueries({ queryKey, exact: true })
  }
}
