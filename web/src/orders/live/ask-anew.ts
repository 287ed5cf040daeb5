import type { InvalidateQueryFilters, Query, QueryClient } from '@tanstack/react-query'
import { isFinal } from './is-final.ts'

const RETRY_MS = 5_000
const LONGEST_RETRY_MS = 60_000

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
  const pauses = new Map<Query, number>()
  let news = 0
  let isOver = false
  const ask = (filter: InvalidateQueryFilters): Promise<void> => {
    news += 1
    for (const query of cache.findAll(filter)) due.set(query, news)
    // A running answer is let come: news that never end would begin it again for ever.
    return queryClient.invalidateQueries(filter, { cancelRefetch: false })
  }
  const lookAt = (query: Query): void => {
    if (due.has(query) && query.state.fetchStatus === 'idle') query.invalidate()
  }
  const askOne = (query: Query): void => void ask({ queryKey: query.queryKey, exact: true })
  const takeFailure = (query: Query, error: unknown): void => {
    lookAt(query)
    if (!query.isActive() || isFinal(error)) return
    const pause = pauses.get(query) ?? RETRY_MS
    pauses.set(query, Math.min(2 * pause, LONGEST_RETRY_MS))
    setTimeout(() => !isOver && due.has(query) && query.isActive() && askOne(query), pause)
  }
  const takeAnswer = (query: Query): void => {
    pauses.delete(query)
    if (!growing.has(query) && (due.get(query) ?? 0) <= (asked.get(query) ?? 0)) due.delete(query)
    else askOne(query)
  }
  const unsubscribe = cache.subscribe((event) => {
    const { type, query } = event
    if (type === 'removed') for (const map of [due, asked, pauses]) map.delete(query)
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
    // The other listeners may still write into the answer.
    if (action.type === 'success' && !action.manual) queueMicrotask(() => takeAnswer(query))
    else if (action.type === 'error') queueMicrotask(() => takeFailure(query, action.error))
    else if (action.type === 'success' || action.type === 'setState') queueMicrotask(() => lookAt(query))
  })
  const end = (): void => {
    isOver = true
    unsubscribe()
  }
  return { ask, end }
}
