import { substitutesOf } from '@cellarhand/contract/agreed-order'
import { correctOrder, refundOf } from '@cellarhand/contract/corrected-order'
import { missingByLine } from '@cellarhand/contract/missing-pieces'
import { toDollars } from '@cellarhand/contract/money'
import { ownLines } from '@cellarhand/contract/order-lines'
import type { StoredOrder } from './stored-order.ts'

/**
 * The missing pieces of an order, and its sums without them, as the marketplace reads them; with the sums that the
 * customer's answers about substitutes lead to.
 */
export function withShortage(order: StoredOrder): Pick<StoredOrder, 'shortage' | 'substitutes'> {
  const missing = missingByLine(order)
  const lines = ownLines(order).flatMap(({ item }) => {
    const count = missing.get(item.id)
    return count === undefined
      ? []
      : [{ line_id: item.id, name: item.name, quantity: item.quantity, missing: count }]
  })
  if (lines.length === 0) return {}
  const corrections = new Map([...missing].map(([id, count]) => [id, { missing: count }] as const))
  const after = correctOrder(order, corrections)
  return {
    ...(order.substitutes && { substitutes: substitutesOf(order, order.substitutes.offers) }),
    shortage: { lines, total: after.transaction.total, refund: toDollars(refundOf(order, after)) },
  }
}
