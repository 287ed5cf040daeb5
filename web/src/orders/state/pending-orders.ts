import type { QueryClient } from '@tanstack/react-query'
import { createStore } from '#lib/kept/store.ts'
import { noticeOrders } from './alarms.ts'
import { insertOrders } from './order-cache.ts'
import type { Order } from './queries.ts'

/** Orders that arrived while the list was open; they wait until the clerk asks for them (LIST-038). */
export const pendingOrders = createStore<readonly Order[]>([])

/** Ids of merged orders, so that their rows are marked new (LIST-034, LIST-039). */
export const newOrderIds = createStore<ReadonlySet<string>>(new Set())

/** The new order that the list scrolls to. */
export const orderToShow = createStore<string | null>(null)

/** Orders in a fresh answer of one list need not wait any more: marked as new, they show in the other lists too. */
export function dropListed(queryClient: QueryClient, orders: readonly Order[]): void {
  const waiting = new Set(pendingOrders.get().map(({ id }) => id))
  const listed = orders.filter(({ id }) => waiting.has(id))
  if (listed.length === 0) return
  insertOrders(queryClient, listed)
  moveOn(listed)
}

export function mergePending(queryClient: QueryClient): void {
  take(queryClient, pendingOrders.get())
}

/** Moves one of them into the list and remembers it (LIST-040). */
export function openPending(queryClient: QueryClient, id: string): void {
  take(
    queryClient,
    pendingOrders.get().filter((order) => order.id === id),
  )
}

let shownTab: string | undefined

/** The marks last while the clerk works on a tab, even after a visit to an order; another tab starts afresh. */
export function enterTab(tab: string): void {
  if (shownTab !== undefined && shownTab !== tab) newOrderIds.set(new Set())
  shownTab = tab
}

function take(queryClient: QueryClient, orders: readonly Order[]): void {
  noticeOrders(orders.map((order) => order.id))
  insertOrders(queryClient, orders)
  moveOn(orders)
}

/** From the bar to the marked rows. */
function moveOn(orders: readonly Order[]): void {
  const ids = new Set(orders.map(({ id }) => id))
  newOrderIds.set(new Set([...newOrderIds.get(), ...ids]))
  pendingOrders.set(pendingOrders.get().filter(({ id }) => !ids.has(id)))
}
