import type { InvalidateQueryFilters, Query, QueryClient } from '@tanstack/react-query'

export interface AskedAnew {
  /** Asks again for the shown answers, and for the others once they are shown. */
  ask: (filter: InvalidateQueryFilters) => Promise<void>
  end: () => void
}

/**
 * Asks again for answers that news have made old, until a newer one is there. The query cache alone would forget it when
 * a row is written into the old answer, when its fetch is given up, when a further page comes, and when the old answer
 * was still under way.
 */
export function askAnew(queryClient: QueryClient): AskedAnew {
  const cache = queryClient.getQueryCache()
  /** By query, the number of the news that its answer lacks; the number at which it was last asked for. */
  const [due, asked] = [new Map<Query, number>(), new Map<Query, number>()]
  /** Those of which only a further page is asked for. */
  const growing = new WeakSet<Query>()
  let news = 0
  const ask = (filter: InvalidateQueryFilters): Promise<void> => {
    news += 1
    for (const query of cache.findAll(filter)) due.set(query, news)
    return queryClient.invalidateQueries(filter)
  }
  const lookAt = (query: Query): void => {
    if (due.has(query) && query.state.fetchStatus === 'idle') query.invalidate()
  }
  const takeAnswer = (query: Query): void => {
    if ((due.get(query) ?? 0) <= (asked.get(query) ?? 0)) due.delete(query)
    else void ask({ queryKey: query.queryKey, exact: true })
  }
  const end = cache.subscribe((event) => {
    const { type, query } = event
    if (type === 'removed') for (const map of [due, asked]) map.delete(query)
    if (type !== 'updated') return
    const { action } = event
    if (action.type === 'fetch') {
      if (action.meta?.fetchMore) growing.add(query)
      else {
        growing.delete(query)
        asked.set(query, news)
      }
    }
    if (!due.has(query)) return
    const isWhole = action.type === 'success' && !action.manual && !growing.has(query)
    // The other listeners may still write into the answer.
    if (isWhole) queueMicrotask(() => takeAnswer(query))
    else if (['success', 'setState', 'error'].includes(action.type)) queueMicrotask(() => lookAt(query))
  })
  return { ask, end }
}
