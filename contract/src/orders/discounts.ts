import { toCents, toDollars } from '../values/money.ts'

/** Where an order's discounts are taken: each of them once, and all of them in the same place. */
export type DiscountPlace = 'lines' | 'subtotal' | 'total' | 'nowhere'

interface Sums {
  readonly items: readonly {
    readonly price: number
    readonly quantity: number
    readonly subtotal: number
    readonly discount?: number | null | undefined
  }[]
  readonly transaction: {
    readonly subtotal: number
    readonly tax?: number | null | undefined
    readonly delivery_fee?: number | null | undefined
    readonly shipping?: number | null | undefined
    readonly tip?: number | null | undefined
    readonly total: number
  }
}

/** The first discounted line tells whether lines are after their discount; if they are not, the sums tell. */
export function discountOf(order: Sums): { place: DiscountPlace; cents: number } {
  const cents = order.items.reduce((sum, item) => sum + toCents(item.discount ?? 0), 0)
  return { place: placeOf(order, cents), cents }
}

function placeOf(order: Sums, cents: number): DiscountPlace {
  const first = order.items.find(({ discount }) => toCents(discount ?? 0) > 0)
  if (!first) return 'nowhere'
  if (toCents(first.subtotal) !== toCents(first.price) * first.quantity) return 'lines'
  const subtotal = toCents(order.transaction.subtotal)
  if (subtotal === linesOf(order) - cents) return 'subtotal'
  return toCents(order.transaction.total) === subtotal + feesOf(order) - cents ? 'total' : 'nowhere'
}

export function linesOf({ items }: Pick<Sums, 'items'>): number {
  return items.reduce((sum, item) => sum + toCents(item.subtotal), 0)
}

export function feesOf({ transaction }: Pick<Sums, 'transaction'>): number {
  const { tax, delivery_fee, shipping, tip } = transaction
  return [tax, delivery_fee, shipping, tip].reduce<number>((sum, fee) => sum + toCents(fee ?? 0), 0)
}

interface Row {
  readonly name: string
  readonly amount: number
}

/** The rows that a list of sums needs beside the order's own, so that what is printed adds up to the cent. */
export function discountRows(order: Sums): { aboveSubtotal: readonly Row[]; aboveTotal: readonly Row[] } {
  const { place, cents } = discountOf(order)
  const discount = { name: 'Discount', amount: -toDollars(cents) }
  return {
    aboveSubtotal:
      place === 'subtotal' ? [{ name: 'Items', amount: toDollars(linesOf(order)) }, discount] : [],
    aboveTotal: place === 'total' ? [discount] : [],
  }
}
