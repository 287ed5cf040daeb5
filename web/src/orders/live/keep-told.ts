import type { StreamEvents } from '@cellarhand/contract/events'
import type { QueryClient } from '@tanstack/react-query'
import { toldAlarms } from '../state/alarms.ts'
import { countLine, listLine, queueQuery, setStanding, type OrderPage } from '../state/queries.ts'

interface Told {
  readonly counts?: OrderPage['counts']
  readonly queue?: StreamEvents['queue']
  readonly alarms?: StreamEvents['alarms']
}

export interface KeptTold {
  take: (news: Told) => void
  /** The newest of each kind. */
  get: () => Told
  end: () => void
}

/** Keeps the stream's news over answers that were asked for before them and come after them, and so may be older. */
export function keepTold(queryClient: QueryClient, tmk: string): KeptTold {
  const { queryKey: queueKey } = queueQuery(tmk)
  const lines: readonly unknown[] = [listLine, countLine, queueKey[0]]
  /** The news before each answer was asked for, by the hash of its query. */
  const atAsking = new Map<string, Told>()
  let told: Told = {}
  const showCounts = (): void => void (told.counts && setStanding(queryClient, tmk, { counts: told.counts }))
  const showQueue = (): void => void (told.queue && queryClient.setQueryData(queueKey, told.queue))
  const end = queryClient.getQueryCache().subscribe((event) => {
    const [line] = event.query.queryKey
    if (event.type !== 'updated' || !lines.includes(line)) return
    const { action, query } = event
    if (action.type === 'fetch') atAsking.set(query.queryHash, told)
    // The first pages of a list may have been answered before another one failed, or before the clerk went on.
    const isEnd = action.type === 'success' ? !action.manual : ['error', 'setState'].includes(action.type)
    if (!isEnd) return
    const before = atAsking.get(query.queryHash)
    if (line !== queueKey[0] && told.counts !== before?.counts) showCounts()
    if (line === queueKey[0] && told.queue !== before?.queue) showQueue()
  })
  return {
    end,
    get: () => told,
    take(news) {
      told = { ...told, ...news }
      if (news.counts) showCounts()
      if (news.queue) showQueue()
      if (news.alarms) toldAlarms.set(news.alarms)
    },
  }
}
