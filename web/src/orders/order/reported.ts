import { partWords } from '@cellarhand/contract/missing-pieces'
import { formatDollars } from '@cellarhand/contract/money'
import { rejectionKey } from '@cellarhand/contract/order-guards'
import type { Order } from '@cellarhand/contract/orders'
import type { RejectionMessage, ReportKind } from '@cellarhand/contract/rejection-message'
import { readRejection } from '@cellarhand/contract/rejection-message'

/** The keys of the lines with such a report (GAP-62). A line of which only a part is missing can be reported again. */
export function reportedKeys(order: Order, kind: ReportKind): ReadonlySet<string> {
  const reports = Object.entries(readRejection(order.rejection_message)[kind] ?? {})
  return new Set(reports.filter(([, { missing }]) => missing === undefined).map(([key]) => key))
}

/** A line's reports in words: "Out of stock: 4 of 6, within 48 hrs", "Wrong price: $12.00". */
export function reportWords(reports: RejectionMessage, key: string): string[] {
  const outOfStock = reports['outOfStock']?.[key]
  const wrongPrice = reports['wrongPrice']?.[key]
  return [
    outOfStock &&
      ['Out of stock', [partWords(outOfStock), outOfStock.reason].filter(Boolean).join(', ')]
        .filter(Boolean)
        .join(': '),
    wrongPrice &&
      ['Wrong price', wrongPrice.price !== undefined && formatDollars(wrongPrice.price)]
        .filter(Boolean)
        .join(': '),
  ].filter((text) => text !== undefined)
}

export function reportsOf(order: Order, item: Order['items'][number]): string[] {
  return reportWords(readRejection(order.rejection_message), rejectionKey(item))
}
