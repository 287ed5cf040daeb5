import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { countsQuery, listLine, orderQuery } from './queries.ts'
import type { ListView } from './list-view.ts'
import { belongsTo } from './list-view.ts'
import { followSelected } from './selection.ts'
import type { LoadedPage, Order, OrderDetail, OrderPage } from './queries.ts'

type Pages = InfiniteData<LoadedPage>

/** The rows of a list; new orders shift pages on the server, so a row may come twice (GAP-82). */
export function rowsOf(data: Pages): Order[] {
  const seen = new Set<string>()
  return data.pages
    .flatMap((page) => page.items)
    .filter((order) => {
      const isFirst = !seen.has(order.thirstie_logistic_order_ref)
      seen.add(order.thirstie_logistic_order_ref)
      return isFirst
    })
}

export function isListed(queryClient: QueryClient, id: string): boolean {
  return loadedLists(queryClient).some(([, data]) =>
    data.pages.some((page) => page.items.some((o) => o.id === id)),
  )
}

export function findListed(queryClient: QueryClient, id: string): Order | undefined {
  for (const [, data] of loadedLists(queryClient)) {
    for (const page of data.pages) {
      const found = page.items.find((order) => order.id === id)
      if (found) return found
    }
  }
  return undefined
}

/** The newest version seen of each order, which may stand in no list any more. */
const newestSeen = new WeakMap<QueryClient, Map<string, number>>()

function seenBy(queryClient: QueryClient): Map<string, number> {
  const seen = newestSeen.get(queryClient) ?? new Map<string, number>()
  newestSeen.set(queryClient, seen)
  return seen
}

/** Answers overtake each other: false for one that is older than what is known of the order. */
export function noteVersion(queryClient: QueryClient, order: Order): boolean {
  const seen = seenBy(queryClient)
  const copies = loadedLists(queryClient).flatMap(([, data]) => copiesIn(data, order.id))
  const detail = queryClient.getQueryData(orderQuery(order.id).queryKey)
  const known = [...copies, ...(detail ? [detail] : [])].map(({ version }) => Math.floor(version))
  if (order.version < Math.max(seen.get(order.id) ?? 0, ...known)) return false
  seen.set(order.id, order.version)
  return true
}

/** Puts a newer state of an order wherever it is shown; a list it no longer belongs to loses it (LIST-041). */
export function replaceOrder(queryClient: QueryClient, order: Order): void {
  if (!noteVersion(queryClient, order)) return
  followSelected([order])
  queryClient.setQueryData(
    orderQuery(order.id).queryKey,
    (known) => known && { ...known, ...order, history: historyOf(order) ?? known.history },
  )
  for (const [view, data, queryKey] of loadedLists(queryClient)) {
    const next = withPlaced(data, order, view)
    if (next !== data) queryClient.setQueryData<Pages>(queryKey, next)
  }
}

/**
 * Shows what an order will very probably be, before the server said so; returns what takes it back. Half a version
 * ahead: anything that was asked for before is older, and the server's answer is newer.
 */
export function paintAhead(
  queryClient: QueryClient,
  order: Order,
  expected: (order: Order) => Order,
): () => void {
  const detailKey = orderQuery(order.id).queryKey
  const before: Order = queryClient.getQueryData(detailKey) ?? findListed(queryClient, order.id) ?? order
  const version = Math.floor(before.version) + 0.5
  replaceOrder(queryClient, { ...expected(before), version })
  return () => {
    const seen = seenBy(queryClient)
    if (seen.get(order.id) !== version) return
    seen.set(order.id, before.version)
    replaceOrder(queryClient, before)
  }
}

/** Takes new orders into the lists that show their tab. */
export function insertOrders(queryClient: QueryClient, orders: readonly Order[]): void {
  for (const order of orders) replaceOrder(queryClient, order)
}

export function setCounts(queryClient: QueryClient, tmk: string, counts: OrderPage['counts']): void {
  queryClient.setQueryData(countsQuery(tmk).queryKey, counts)
}

function loadedLists(
  queryClient: QueryClient,
): [view: ListView, data: Pages, queryKey: readonly unknown[]][] {
  return queryClient
    .getQueriesData<Pages>({ queryKey: [listLine] })
    .flatMap(([key, data]) => (data && 'pages' in data ? [[key[2] as ListView, data, key]] : []))
}

function historyOf(order: Order | OrderDetail): OrderDetail['history'] | undefined {
  return 'history' in order ? order.history : undefined
}

function copiesIn(data: Pages, id: string): Order[] {
  return data.pages.flatMap((page) => page.items.filter((order) => order.id === id))
}

function withPlaced(data: Pages, order: Order, view: ListView): Pages {
  const isIn = copiesIn(data, order.id).length > 0
  if (!belongsTo(view, order)) return isIn ? without(data, order.id) : data
  return isIn ? withReplaced(data, order) : withInserted(data, order, view)
}

function withReplaced(data: Pages, order: Order): Pages {
  const replace = (each: Order): Order => (each.id === order.id ? order : each)
  return { ...data, pages: data.pages.map((page) => ({ ...page, items: page.items.map(replace) })) }
}

function without(data: Pages, id: string): Pages {
  return {
    ...data,
    pages: data.pages.map((page) => ({
      ...page,
      total_rows: Math.max(0, page.total_rows - 1),
      items: page.items.filter((order) => order.id !== id),
    })),
  }
}

/** Only where the loaded part of the list reaches: what lies beyond it comes with its own page. */
function withInserted(data: Pages, order: Order, view: ListView): Pages {
  const isBefore = (other: Order): boolean => {
    const isNewer =
      order.date_submitted === other.date_submitted
        ? Number(order.id) > Number(other.id)
        : order.date_submitted > other.date_submitted
    return view.sort === 'asc' ? !isNewer : isNewer
  }
  const grown = data.pages.map((page) => ({ ...page, total_rows: page.total_rows + 1 }))
  const pageIndex = grown.findIndex((page) => page.items.some(isBefore))
  const last = grown.at(-1)
  if (pageIndex === -1 && last?.next_url) return { ...data, pages: grown }
  const target = pageIndex === -1 ? grown.length - 1 : pageIndex
  const pages = grown.map((page, index) => {
    if (index !== target) return page
    const at = page.items.findIndex(isBefore)
    return { ...page, items: page.items.toSpliced(at === -1 ? page.items.length : at, 0, order) }
  })
  return { ...data, pages }
}
