import { rejectionKey, type OrderFacts } from '../order-guards.ts'
import { ownLines } from '../order-lines.ts'
import { readRejection } from '../rejection-message.ts'

/** Every screen and rule counts the missing pieces of an order here and nowhere else. */

interface Countable extends Pick<OrderFacts, 'rejection_message'> {
  readonly items: readonly (OrderFacts['items'][number] & { readonly quantity: number })[]
}

/** The ordered pieces of each key of `rejection_message`: two lines of one product share a key. */
export function orderedByKey(order: Pick<Countable, 'items'>): Map<string, number> {
  const ordered = new Map<string, number>()
  for (const { item } of ownLines(order)) {
    const key = rejectionKey(item)
    ordered.set(key, (ordered.get(key) ?? 0) + item.quantity)
  }
  return ordered
}

/** How many pieces of each key are reported as missing. */
export function missingByKey(order: Countable): Map<string, number> {
  const reports = new Map(Object.entries(readRejection(order.rejection_message)['outOfStock'] ?? {}))
  const missing = new Map<string, number>()
  for (const [key, ordered] of orderedByKey(order)) {
    const report = reports.get(key)
    if (report) missing.set(key, Math.min(report.missing ?? ordered, ordered))
  }
  return missing
}

/** How many pieces of each own line are missing, by the line's id. Of two lines with one key the later gives way first. */
export function missingByLine(order: Countable): Map<string, number> {
  const left = missingByKey(order)
  const missing = new Map<string, number>()
  for (const { item } of ownLines(order).toReversed()) {
    const key = rejectionKey(item)
    const taken = Math.min(left.get(key) ?? 0, item.quantity)
    if (taken === 0) continue
    left.set(key, (left.get(key) ?? 0) - taken)
    missing.set(item.id, taken)
  }
  return missing
}

/** "4 of 6", where only a part of a line is missing. */
export function partWords({ missing, of }: { missing?: number; of?: number }): string {
  return missing === undefined || of === undefined ? '' : `${missing} of ${of}`
}
