import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { listLine, orderQuery } from './queries.ts'
import type { ListView } from './list-view.ts'
import { belongsTo, compareRows } from './list-view.ts'
import { followSelected } from './selection.ts'
import type { LoadedPage, Order, OrderDetail } from './queries.ts'

type Pages = InfiniteData<LoadedPage>

/** The rows of a list. New orders shift pages on the server, so a row may come twice (GAP-82). */
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

export function findListed(queryClient: QueryClient, id: string): Order | undefined {
  for (const [, data] of loadedLists(queryClient)) {
    for (const page of data.pages) {
      const found = page.items.find((order) => order.id === id)
      if (found) return found
    }
  }
  return undefined
}

export function knownOrder(queryClient: QueryClient, id: string): Order | undefined {
  return queryClient.getQueryData(orderQuery(id).queryKey) ?? findListed(queryClient, id)
}

interface Memory {
  /** The newest known version of each order; the order may be in no list any more. */
  versions: Map<string, number>
  /** By list, the changes since it was requested: its answer may lack them, and they are then put back. */
  changedMeanwhile: Map<string, Map<string, Order>>
}

const memories = new WeakMap<QueryClient, Memory>()

export function memoryOf(queryClient: QueryClient): Memory {
  const known = memories.get(queryClient)
  if (known) return known
  const memory: Memory = { versions: new Map(), changedMeanwhile: new Map() }
  memories.set(queryClient, memory)
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.query.queryKey[0] !== listLine) return
    const isAnswer = event.action.type === 'success' && !event.action.manual
    if (!isAnswer && event.action.type !== 'fetch') return
    const { queryHash, queryKey } = event.query
    const changed = memory.changedMeanwhile.get(queryHash)
    memory.changedMeanwhile.delete(queryHash)
    const list = loadedLists(queryClient).find(([, , key]) => key === queryKey)
    if (!isAnswer || !changed || !list) return
    const [view, data] = list
    queryClient.setQueryData<Pages>(queryKey, withAllPlaced(data, [...changed.values()], view))
  })
  return memory
}

/** Before everything is reloaded: after a restore, an order is older than before, and must show all the same. */
export function forgetVersions(queryClient: QueryClient): void {
  memoryOf(queryClient).versions.clear()
}

function noteChange(queryClient: QueryClient, order: Order): void {
  const { changedMeanwhile } = memoryOf(queryClient)
  const asked = queryClient.getQueryCache().findAll({ queryKey: [listLine], fetchStatus: 'fetching' })
  for (const { queryHash } of asked) {
    const changed = changedMeanwhile.get(queryHash) ?? new Map<string, Order>()
    changedMeanwhile.set(queryHash, changed.set(order.id, order))
  }
}

/** Answers overtake each other: returns false for one that is older than the known order. */
export function noteVersion(queryClient: QueryClient, order: Order): boolean {
  const { versions } = memoryOf(queryClient)
  const copies = loadedLists(queryClient).flatMap(([, data]) => copiesIn(data, order.id))
  const detail = queryClient.getQueryData(orderQuery(order.id).queryKey)
  const known = [...copies, ...(detail ? [detail] : [])].map(({ version }) => Math.floor(version))
  if (order.version < Math.max(versions.get(order.id) ?? 0, ...known)) return false
  versions.set(order.id, order.version)
  return true
}

/** Shows an order's newer state everywhere; a list that it no longer belongs to drops it (LIST-041). */
export function replaceOrder(queryClient: QueryClient, order: Order): void {
  if (!noteVersion(queryClient, order)) return
  followSelected([order])
  noteChange(queryClient, order)
  queryClient.setQueryData(
    orderQuery(order.id).queryKey,
    (known) => known && { ...order, history: historyOf(order) ?? known.history ?? [] },
  )
  for (const [view, data, queryKey] of loadedLists(queryClient)) {
    const next = withPlaced(data, order, view)
    if (next !== data) queryClient.setQueryData<Pages>(queryKey, next)
  }
}

/** Adds new orders to the lists of their tab. */
export function insertOrders(queryClient: QueryClient, orders: readonly Order[]): void {
  for (const order of orders) replaceOrder(queryClient, order)
}

export function loadedLists(
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
  const [known] = copiesIn(data, order.id)
  if (!belongsTo(view, order)) return known ? without(data, order.id) : data
  if (known && compareRows(view.sort, known, order) === 0) return withReplaced(data, order)
  return withInserted(known ? without(data, order.id) : data, order, view)
}

function withAllPlaced(data: Pages, orders: readonly Order[], view: ListView): Pages {
  return orders.reduce((placed, order) => {
    const isKnownNewer = copiesIn(placed, order.id).some(({ version }) => Math.floor(version) > order.version)
    return isKnownNewer ? placed : withPlaced(placed, order, view)
  }, data)
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

type End = Pick<LoadedPage, 'next_url' | 'last'>

/** Whether what is loaded goes as far as an order's place. An order beyond comes with its own page, which counts it. */
export function reaches(end: End | undefined, order: Order, { sort }: ListView): boolean {
  return !end?.next_url || (end.last !== undefined && compareRows(sort, order, end.last) <= 0)
}

function withInserted(data: Pages, order: Order, view: ListView): Pages {
  if (!reaches(data.pages.at(-1), order, view)) return data
  const isAbove = (other: Order): boolean => compareRows(view.sort, order, other) < 0
  const found = data.pages.findIndex((page) => page.items.some(isAbove))
  const target = found === -1 ? data.pages.length - 1 : found
  const pages = data.pages.map((page, index) => {
    const counted = { ...page, total_rows: page.total_rows + 1 }
    if (index !== target) return counted
    const at = page.items.findIndex(isAbove)
    return { ...counted, items: page.items.toSpliced(at === -1 ? page.items.length : at, 0, order) }
  })
  return { ...data, pages }
}
