import type { CourierState } from '../delivery/courier-states.ts'
import { ownLines } from './order-lines.ts'
import { readRejection } from './rejection-message.ts'
import { isLocal, type OrderStatus } from './order-statuses.ts'

/** A condition besides the status; `guardHolds` decides it. */
export type Guard =
  | 'carrier_order'
  | 'local_order'
  | 'presale_ready'
  | 'courier_estimated'
  | 'no_live_courier'
  | 'courier_requested'
  | 'live_courier'
  | 'courier_has_it'
  | 'whole_rejectable'
  | 'some_items_reported'
  | 'nothing_forbids'

/** The part of an order, as it goes over the wire, that the guards read. */
export interface OrderFacts {
  readonly status: OrderStatus
  readonly delivery: { readonly method: string }
  readonly courier_estimate_id: string | null
  readonly courier_info: { readonly order_status: CourierState } | null
  readonly rejection_message: string | null
  readonly duties?: { readonly block: readonly unknown[] }
  readonly items: readonly {
    readonly id: string
    readonly parent_line_item_id?: string | null
    readonly product?: { readonly id: string } | null
    readonly aux_data?: { readonly preorder_available_date?: string | null } | null
  }[]
}

const presaleLeadDays = 10
const dayMs = 86_400_000

/**
 * `today` is the shop's day, YYYY-MM-DD, because the dates are days of its calendar. The latest of the items' dates
 * counts, and exactly 10 days is allowed (VIEW-016, GAP-110).
 */
export function isPresaleReady(order: Pick<OrderFacts, 'items'>, today: string): boolean {
  return (presaleShipsFrom(order.items) ?? '') <= today
}

/** The first day on which a presale may ship, YYYY-MM-DD; null when none of its lines has to wait. */
export function presaleShipsFrom(items: OrderFacts['items']): string | null {
  const dates = items.flatMap(({ aux_data: aux }) => aux?.preorder_available_date || [])
  if (dates.length === 0) return null
  const latestMs = Math.max(...dates.map((date) => Date.parse(date)))
  return new Date(latestMs - presaleLeadDays * dayMs).toISOString().slice(0, 10)
}

export function hasLiveCourier(order: OrderFacts): boolean {
  return (
    order.courier_info !== null &&
    !['ORDER_FAILED', 'ORDER_CANCELLED', 'ORDER_DELIVERED'].includes(order.courier_info.order_status)
  )
}

/** The key that `rejection_message` uses for a line: its product's id, or its own without a product (GAP-62). */
export function rejectionKey(item: OrderFacts['items'][number]): string {
  return item.product?.id ?? item.id
}

/** How many of the order's own lines (engravings belong to theirs) are reported out of stock or wrongly priced. */
export function reportedItems(order: OrderFacts): 'none' | 'some' | 'all' {
  const { outOfStock = {}, wrongPrice = {} } = readRejection(order.rejection_message)
  const reports = new Map([...Object.entries(outOfStock), ...Object.entries(wrongPrice)])
  const lines = ownLines(order).map(({ item }) => reports.get(rejectionKey(item)))
  if (!lines.some(Boolean)) return 'none'
  return lines.every((report) => report && report.missing === undefined) ? 'all' : 'some'
}

export function guardHolds(guard: Guard, order: OrderFacts, today: string): boolean {
  switch (guard) {
    case 'carrier_order':
      return !isLocal(order.delivery.method)
    case 'local_order':
      return isLocal(order.delivery.method)
    case 'presale_ready':
      return isPresaleReady(order, today)
    case 'courier_estimated':
      return order.courier_estimate_id !== null
    case 'no_live_courier':
      return !hasLiveCourier(order)
    case 'courier_requested':
      return order.courier_info !== null
    case 'live_courier':
      return hasLiveCourier(order)
    case 'courier_has_it':
      return order.courier_info?.order_status === 'ORDER_PICKED_UP'
    case 'whole_rejectable':
      // Held in part already, it may still be rejected in full (GAP-102).
      return order.status === 'REJECTED_PARTIAL' || reportedItems(order) !== 'some'
    case 'some_items_reported':
      return reportedItems(order) === 'some'
    case 'nothing_forbids':
      return !order.duties?.block.length
  }
}
