import { isLocal, type OrderStatus } from '../orders/order-statuses.ts'
import { ownLines } from '../orders/order-lines.ts'

/** The part of an order that says how many of its bottles are away. */
interface Sent {
  readonly status: OrderStatus
  readonly delivery: { readonly method: string }
  readonly items: readonly {
    readonly id: string
    readonly parent_line_item_id?: string | null
    readonly quantity: number
  }[]
  readonly came_back?: { readonly bottles: number }
}

interface Moved {
  readonly from: string | null
  readonly to: string
}

const afterwards = ['CANCELLED', 'DISPUTED', 'REFUNDED']

export function bottlesOf(order: Pick<Sent, 'items'>): number {
  return ownLines(order).reduce((sum, { item }) => sum + item.quantity, 0)
}

/** Nothing of the order is away any more. */
export function isWhollyBack({ came_back: back }: { came_back?: { bottles: number; of: number } }): boolean {
  return back !== undefined && back.bottles === back.of
}

/**
 * How many bottles of the order are outside the shop and may come back: of a parcel on its way, of an order that was
 * handed over, and of one that ended after it had left. A local order on its way has a step of its own (T29).
 */
export function bottlesAway(order: Sent, history: readonly Moved[]): number {
  const { status, delivery } = order
  const hasLeft =
    (status === 'MERCHANT_SHIPPED' && !isLocal(delivery.method)) ||
    status === 'CLOSED' ||
    (afterwards.includes(status) &&
      history.some(
        ({ from, to }) =>
          from !== to &&
          (from === 'MERCHANT_SHIPPED' || from === 'CLOSED') &&
          [...afterwards, 'CLOSED'].includes(to),
      ))
  return hasLeft ? Math.max(bottlesOf(order) - (order.came_back?.bottles ?? 0), 0) : 0
}
