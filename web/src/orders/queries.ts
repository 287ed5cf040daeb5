import type { Order, OrderPage } from '@cellarhand/contract/orders'
import type { Tab } from '@cellarhand/contract/order-lifecycle'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call, follow } from '#lib/call.ts'
import { createStore } from '#lib/store.ts'

export type { Order, OrderDetail, OrderPage } from '@cellarhand/contract/orders'

export const PAGE_SIZE = 30
const SEARCH_SIZE = 10

export const listLine = 'GET /m/v2/merchant/{tmk}/orders/optimized'
const searchLine = 'GET /m/v2/merchant/{tmk}/orders/optimize'
const detailLine = 'GET /m/v2/orders/{id}'
const countLine = 'GET /m/v2/merchant/{tmk}/orders/count'

/** What a list shows; every part of it stands in the address. */
export interface ListView {
  tab: Tab
  sort: 'asc' | 'desc' | undefined
}

/** The active order that is due first, as the newest answer or event named it. */
export const nextDeadline = createStore<OrderPage['next_deadline']>(null)

export function ordersQuery(tmk: string, view: ListView) {
  const firstPage = (signal: AbortSignal): Promise<OrderPage> => {
    const query = {
      limit: PAGE_SIZE,
      offset: 0,
      'filter[tab]': view.tab,
      ...(view.sort && { 'sort[date]': view.sort }),
    }
    return call(listLine, { params: { tmk }, query }, { signal })
  }
  return infiniteQueryOptions({
    queryKey: [listLine, tmk, view],
    queryFn: async ({ pageParam, signal, client }): Promise<OrderPage> => {
      const page = await (pageParam ? follow<typeof listLine>(pageParam, { signal }) : firstPage(signal))
      client.setQueryData(countsQuery(tmk).queryKey, page.counts)
      nextDeadline.set(page.next_deadline)
      return page
    },
    // The event stream keeps loaded lists as the server has them.
    staleTime: Infinity,
    // Comparing thousands of loaded rows field by field at each page costs more than it saves.
    structuralSharing: false,
    initialPageParam: '',
    getNextPageParam: (last, pages) => {
      const loaded = pages.reduce((sum, page) => sum + page.items.length, 0)
      const isLast = last.items.length < PAGE_SIZE || loaded >= last.total_rows
      return isLast ? undefined : (last.next_url ?? undefined)
    },
  })
}

export function orderQuery(id: string) {
  return queryOptions({
    queryKey: [detailLine, id],
    queryFn: ({ signal }) => call(detailLine, { params: { id } }, { signal }),
  })
}

export function countsQuery(tmk: string) {
  return queryOptions({
    queryKey: [countLine, tmk],
    queryFn: async ({ signal }) => (await call(countLine, { params: { tmk } }, { signal })).counts,
    staleTime: 60_000,
  })
}

export interface SearchFilter {
  by: 'search' | 'recipient_name' | 'customer_email'
  text: string
}

export function searchQuery(tmk: string, { by, text }: SearchFilter) {
  return queryOptions({
    queryKey: [searchLine, tmk, by, text],
    queryFn: async ({ signal }): Promise<Order[]> => {
      const query = { limit: SEARCH_SIZE, offset: 0, [`filter[${by}]`]: text }
      return (await call(searchLine, { params: { tmk }, query }, { signal })).items
    },
    staleTime: 5_000,
    retry: false,
  })
}
