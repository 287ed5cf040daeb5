import { formatDollars } from '@cellarhand/contract/money'
import { rejectionKey } from '@cellarhand/contract/order-guards'
import type { Order } from '@cellarhand/contract/orders'
import type { RejectionMessage, ReportKind } from '@cellarhand/contract/rejection-message'
import { readRejection } from '@cellarhand/contract/rejection-message'

/** The keys of the lines with such a report (GAP-62). */
export function reportedKeys(order: Order, kind: ReportKind): ReadonlySet<string> {
  return new Set(Object.keys(readRejection(order.rejection_message)[kind] ?? {}))
}

/** A line's reports in words: "Out of stock: within 48 hrs", "Wrong price: $12.00". */
export function reportWords(reports: RejectionMessage, key: string): string[] {
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
  return reportWords(readRejection(order.rejection_message), rejectionKey(item))
}
