import type { Order, OrderPage } from '@cellarhand/contract/orders'
import type { QueryClient } from '@tanstack/react-query'
import { infiniteQueryOptions, queryOptions, useQuery } from '@tanstack/react-query'
import { call, follow } from '#lib/calls/call.ts'
import { painted } from '#lib/parts/after-paint.ts'
import type { ListView } from './list-view.ts'
import { toFilterQuery } from './list-view.ts'

export type { Order, OrderDetail, OrderPage } from '@cellarhand/contract/orders'

export const PAGE_SIZE = 30
const SEARCH_SIZE = 10

export const listLine = 'GET /m/v2/merchant/{tmk}/orders/optimized'
const searchLine = 'GET /m/v2/merchant/{tmk}/orders/optimize'
export const detailLine = 'GET /m/v2/orders/{id}'
const queueLine = 'GET /m/v2/merchant/{tmk}/orders/queue'
export const countLine = 'GET /m/v2/merchant/{tmk}/orders/count'

/** How many orders each tab has, as the newest answer or event said. */
type Standing = Pick<OrderPage, 'counts'>

/** A page as it arrived; `received` and `last` stay when orders later leave or join the page. */
export interface LoadedPage extends OrderPage {
  received: number
  last: Order | undefined
}

export function ordersQuery(tmk: string, view: ListView) {
  const firstPage = (signal: AbortSignal): Promise<OrderPage> => {
    const query = { limit: PAGE_SIZE, offset: 0, ...toFilterQuery(view) }
    return call(listLine, { params: { tmk }, query }, { signal })
  }
  return infiniteQueryOptions({
    queryKey: [listLine, tmk, view],
    queryFn: async ({ pageParam, signal, client }): Promise<LoadedPage> => {
      const page = await (pageParam ? follow<typeof listLine>(pageParam, { signal }) : firstPage(signal))
      setStanding(client, tmk, page)
      return { ...page, received: page.items.length, last: page.items.at(-1) }
    },
    // The event stream keeps loaded lists up to date.
    staleTime: Infinity,
    // Comparing thousands of loaded rows field by field for each page costs more than it saves.
    structuralSharing: false,
    initialPageParam: '',
    // The last page has no next address. A short page is the end too, even if it names a next one (LIST-032).
    getNextPageParam: (last) => (last.received < PAGE_SIZE ? undefined : (last.next_url ?? undefined)),
    placeholderData: (before, query) => (tabOfKey(query?.queryKey) === view.tab ? before : undefined),
  })
}

/** While another filter of the same tab is fetched, the previous rows stay in sight. */
function tabOfKey(key: readonly unknown[] | undefined): string | undefined {
  return (key?.[2] as ListView | undefined)?.tab
}

export type Facets = OrderPage['filters']['available']

export function orderQuery(id: string) {
  return queryOptions({
    queryKey: [detailLine, id],
    queryFn: async ({ signal, client, queryKey }) => {
      // The page shows what the list knows, before it asks for the rest.
      if (client.getQueryData(queryKey)) await painted()
      return call(detailLine, { params: { id } }, { signal })
    },
  })
}

/** An order as it is now, for a component that received it a while ago. */
export function useShownOrder(given: Order): Order {
  const { data } = useQuery(orderQuery(given.id))
  return data && !(data.version < given.version) ? data : given
}

export function standingQuery(tmk: string) {
  return queryOptions({
    queryKey: [countLine, tmk],
    queryFn: ({ signal }): Promise<Standing> => call(countLine, { params: { tmk } }, { signal }),
    staleTime: 60_000,
  })
}

export function setStanding(queryClient: QueryClient, tmk: string, { counts }: Standing): void {
  queryClient.setQueryData(standingQuery(tmk).queryKey, { counts })
}

/** The event stream keeps it up to date. */
export function queueQuery(tmk: string) {
  return queryOptions({
    queryKey: [queueLine, tmk],
    queryFn: ({ signal }) => call(queueLine, { params: { tmk } }, { signal }),
    staleTime: Infinity,
  })
}

export interface SearchFilter {
  by: 'search' | 'recipient_name' | 'customer_email'
  text: string
}

export function searchQuery(tmk: string, { by, text }: SearchFilter) {
  return queryOptions({
    queryKey: [searchLine, tmk, by, text],
    queryFn: async ({ signal }): Promise<{ items: Order[]; total: number }> => {
      const query = { limit: SEARCH_SIZE, offset: 0, [`filter[${by}]`]: text }
      const page = await call(searchLine, { params: { tmk }, query }, { signal })
      return { items: page.items, total: page.total_rows }
    },
    staleTime: 5_000,
    retry: false,
  })
}
