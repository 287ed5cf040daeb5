import { formatDollars } from '@cellarhand/contract/money'
import { rejectionKey } from '@cellarhand/contract/order-guards'
import type { Order } from '@cellarhand/contract/orders'

interface Entry {
  price?: number
  reason?: string
}

export type Reports = Record<string, Record<string, Entry> | undefined>

export function reportsIn(message: string | null): Reports {
  return message === null ? {} : (JSON.parse(message) as Reports)
}

/** The keys of the lines with such a report (GAP-62). */
export function reportedKeys(order: Order, kind: 'outOfStock' | 'wrongPrice'): ReadonlySet<string> {
  return new Set(Object.keys(reportsIn(order.rejection_message)[kind] ?? {}))
}

/** A line's reports in words: "Out of stock: within 48 hrs", "Wrong price: $12.00". */
export function reportWords(reports: Reports, key: string): string[] {
  const outOfStock = reports['outOfStock']?.[key]
  const wrongPrice = reports['wrongPrice']?.[key]
  return [
    outOfStock && ['Out of stock', outOfStock.reason].filter(Boolean).join(': '),
    wrongPrice &&
      ['Wrong price', wrongPrice.price !== undefined && formatDollars(wrongPrice.price)]
        .filter(Boolean)
        .join(': '),
  ].filter((text) => text !== undefined)
}

export function reportsOf(order: Order, item: Order['items'][number]): string[] {
  return reportWords(reportsIn(order.rejection_message), rejectionKey(item))
}
