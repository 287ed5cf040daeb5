import { missingByLine } from '@cellarhand/contract/missing-pieces'
import { ownLines } from '@cellarhand/contract/order-lines'
import type { PrintedOrder } from './printed-order.ts'

interface Pick {
  /** Empty for a bottle without one in the stock list. */
  readonly shelf: string
  readonly name: string
  readonly size: string
  readonly sku: string
  quantity: number
  /** Its orders, in the sequence of their slips. */
  readonly orders: string[]
}

/** An order with the shelves of its lines, by their ids. */
export interface OrderToPick extends PrintedOrder {
  readonly shelves: ReadonlyMap<string, string>
}

/** All bottles of a batch by shelf and product, so that the picker visits each shelf once. */
export interface PickList {
  readonly shopName: string
  readonly madeAt: Date
  readonly timezone: string
  readonly orderCount: number
  readonly picks: readonly Pick[]
}

const { compare } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** An engraving cannot be picked; its bottle can. A piece reported as missing is on no shelf. */
export function pickListOf(orders: readonly OrderToPick[], madeAt: Date): PickList | undefined {
  const [first] = orders
  if (first === undefined) return undefined
  const picks = new Map<string, Pick>()
  for (const { order, shelves } of orders) {
    const missing = missingByLine(order)
    for (const { item } of ownLines(order)) {
      const quantity = item.quantity - (missing.get(item.id) ?? 0)
      if (quantity === 0) continue
      const size = item.product?.container_size ?? ''
      const sku = item.offering?.merchant_sku ?? ''
      const shelf = shelves.get(item.id) ?? ''
      const key = JSON.stringify([shelf, item.name, size, sku])
      const pick = picks.get(key) ?? { shelf, name: item.name, size, sku, quantity: 0, orders: [] }
      pick.quantity += quantity
      pick.orders.push(`#${order.id}${quantity === 1 ? '' : ` ×${quantity}`}`)
      picks.set(key, pick)
    }
  }
  if (picks.size === 0) return undefined
  return {
    shopName: first.shop.name,
    timezone: first.shop.timezone,
    madeAt,
    orderCount: orders.length,
    picks: [...picks.values()].toSorted(
      (a, b) =>
        Number(a.shelf === '') - Number(b.shelf === '') ||
        compare(a.shelf, b.shelf) ||
        compare(a.name, b.name) ||
        compare(a.size, b.size),
    ),
  }
}
