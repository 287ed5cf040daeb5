import type { StreamEvents } from '@cellarhand/contract/events'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { call } from '#lib/calls/call.ts'
import { toFilterQuery, type ListView } from '../state/list-view.ts'
import type { Facets } from '../state/queries.ts'
import { listLine, ordersQuery } from '../state/queries.ts'

type Queue = StreamEvents['queue']

/** The queue that was known when the server counted. */
const countedWith = new WeakMap<Facets, Queue | undefined>()

interface Counted {
  tmk: string
  view: ListView
  facets: Facets | undefined
}

/**
 * Keeps the counts of a filtered list as new as the queue, which the stream tells for the whole tab alone. One call is
 * under way at a time: after it, the page asks again if something was told meanwhile.
 */
export function useToldCounts({ tmk, view, facets }: Counted, queue: Queue | undefined): void {
  const queryClient = useQueryClient()
  const isAsking = useRef(false)
  useEffect(() => {
    const { queryKey } = ordersQuery(tmk, view)
    const list = queryClient.getQueryState(queryKey)
    // While a list is asked for, its own answer brings the counts. Until then another list's are on the screen.
    if (!facets || list?.fetchStatus !== 'idle' || list.data?.pages.at(-1)?.filters.available !== facets)
      return
    if (!countedWith.has(facets)) countedWith.set(facets, queue)
    if (isAsking.current || countedWith.get(facets) === queue) return
    countedWith.set(facets, queue)
    isAsking.current = true
    const query = { limit: 1, offset: 0, ...toFilterQuery({ ...view, sort: undefined }) }
    void call(listLine, { params: { tmk }, query })
      .then(({ filters: { available } }) => {
        countedWith.set(available, queue)
        isAsking.current = false
        queryClient.setQueryData(queryKey, (known) => {
          const last = known?.pages.at(-1)
          if (!known || last?.filters.available !== facets) return known
          return {
            ...known,
            pages: known.pages.with(-1, { ...last, filters: { ...last.filters, available } }),
          }
        })
      })
      .catch(() => void (isAsking.current = false))
  }, [queryClient, tmk, view, facets, queue])
}
