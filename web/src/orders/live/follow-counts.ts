import type { QueryClient } from '@tanstack/react-query'
import { call } from '#lib/calls/call.ts'
import { isFinal } from './is-final.ts'
import { liveState } from '../state/live-state.ts'
import { isPartOfTab, toFilterQuery, type ListView } from '../state/list-view.ts'
import { pendingOrders } from '../state/pending-orders.ts'
import { listLine, ordersQuery, queueQuery, type Facets } from '../state/queries.ts'

const RETRY_MS = 5_000
/** Of any other view the stream tells all counts. */
const isCounted = (view: ListView): boolean => isPartOfTab(view) || Boolean(view.due ?? view.mine)

/**
 * Keeps the counts of the filtered lists on the screen as new as the queue, which the stream tells for the whole tab
 * alone. One call is under way at a time; after it, counts may be older than the queue again. Returns the function that
 * ends this.
 */
export function followCounts(queryClient: QueryClient, tmk: string): () => void {
  const cache = queryClient.getQueryCache()
  const { queryKey: queueKey } = queueQuery(tmk)
  const keyOf = (view: ListView) => ordersQuery(tmk, view).queryKey
  const queueNow = () => queryClient.getQueryData(queueKey)
  const facetsOf = (view: ListView): Facets | undefined =>
    queryClient.getQueryData(keyOf(view))?.pages.at(-1)?.filters.available
  type Queue = ReturnType<typeof queueNow>
  /** The queue that was known as each list was asked for, by the hash of its query. */
  const atAsking = new Map<string, Queue>()
  /** The same of the counts that came: they are as new at least. */
  const countedAfter = new WeakMap<Facets, Queue>()
  let isAsking = false
  let isOver = false

  const ask = async (view: ListView, facets: Facets): Promise<void> => {
    const queue = queueNow()
    const query = { limit: 1, offset: 0, ...toFilterQuery({ ...view, sort: undefined }) }
    const { filters, total_rows } = await call(listLine, { params: { tmk }, query })
    const { available } = filters
    countedAfter.set(available, queue)
    queryClient.setQueryData(keyOf(view), (known) => {
      const last = known?.pages.at(-1)
      // An answer of the list itself may have come meanwhile.
      if (!known || last?.filters.available !== facets) return undefined
      // An order that waits in the bar is counted once it is shown.
      const total = pendingOrders.get().length > 0 ? last.total_rows : total_rows
      const counted = { ...last, total_rows: total, filters: { ...last.filters, available } }
      return { ...known, pages: known.pages.with(-1, counted) }
    })
  }
  const isOld = (view: ListView): boolean => {
    const facets = facetsOf(view)
    const queue = facets && countedAfter.get(facets)
    // Counts from before the first news are asked for again with their list.
    return view.tab === 'active' && isCounted(view) && queue !== undefined && queue !== queueNow()
  }
  const lookAgain = async (): Promise<void> => {
    if (isAsking || isOver || !queueNow() || liveState.get().kind !== 'live') return
    // While a list is asked for, its own answer brings counts.
    const idle = cache.findAll({ queryKey: [listLine, tmk], type: 'active', fetchStatus: 'idle' })
    const view = idle.map(({ queryKey }) => queryKey[2] as ListView).find(isOld)
    const facets = view && facetsOf(view)
    if (!facets) return
    isAsking = true
    const queue = queueNow()
    await ask(view, facets).catch((error: unknown) => {
      // The next news are asked for again.
      if (isFinal(error)) countedAfter.set(facets, queue)
      return new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    })
    isAsking = false
    void lookAgain()
  }
  const unsubscribe = cache.subscribe((event) => {
    const { queryHash, queryKey } = event.query
    const isList = queryKey[0] === listLine
    if (!isList && queryKey[0] !== queueKey[0]) return
    if (event.type === 'updated' && isList) {
      const { action } = event
      if (action.type === 'fetch') atAsking.set(queryHash, queueNow())
      const facets = action.type === 'success' && !action.manual && facetsOf(queryKey[2] as ListView)
      if (facets) countedAfter.set(facets, atAsking.get(queryHash))
    }
    // The same news may ask for the list itself, whose answer brings counts.
    if (event.type === 'updated' || event.type === 'observerAdded') queueMicrotask(() => void lookAgain())
  })
  return () => {
    isOver = true
    unsubscribe()
  }
}
