import { formatDollars } from '@cellarhand/contract/money'
import { rejectionKey } from '@cellarhand/contract/order-lifecycle'
import type { Order } from './queries.ts'

interface Entry {
  price?: number
  reason?: string
}

/** What was reported of a line, in words: "Out of stock: within 48 hrs", "Wrong price: $12.00". */
export function reportsOf(order: Order, item: Order['items'][number]): string[] {
  if (order.rejection_message === null) return []
  const message = JSON.parse(order.rejection_message) as Record<string, Record<string, Entry> | undefined>
  const key = rejectionKey(item)
  const outOfStock = message['outOfStock']?.[key]
  const wrongPrice = message['wrongPrice']?.[key]
  return [
    outOfStock && ['Out of stock', outOfStock.reason].filter(Boolean).join(': '),
    wrongPrice &&
      ['Wrong price', wrongPrice.price !== undefined && formatDollars(wrongPrice.price)]
        .filter(Boolean)
        .join(': '),
  ].filter((text) => text !== undefined)
}
