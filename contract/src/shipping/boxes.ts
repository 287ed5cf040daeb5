import { messages } from '../words/messages.ts'
import { ownLines } from '../orders/order-lines.ts'

/** Limits of a box's weight in pounds (SHIP-004) and of its declared value in dollars (SHIP-003, GAP-124). */
export const leastWeight = 0.01
export const mostWeight = 999_999
export const mostDeclaredValue = 4999.99
/** The text shows this amount, though the limit is 4999.99 (GAP-124). */
export const declaredValueLimit = '$5,000.00'

/** The typed number; undefined for text that is no number, null for an empty field (VALID-017, VALID-021). */
export function readNumber(text: string): number | null | undefined {
  const typed = text.trim()
  if (typed === '') return null
  return /^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(typed) ? Number(typed) : undefined
}

/** Undefined means text that is no number. */
export function weightProblem(weight: number | null | undefined): string | undefined {
  if (weight === null) return messages.weightRequired
  if (weight === undefined || Number.isNaN(weight)) return messages.onlyNumbers
  if (weight < leastWeight) return messages.weightTooSmall
  return weight > mostWeight ? messages.weightTooLarge : undefined
}

export function declaredValueProblem(value: number | null | undefined): string | undefined {
  if (value === null) return undefined
  if (value === undefined || Number.isNaN(value)) return messages.onlyNumbers
  if (value < 0) return messages.declaredValueTooSmall
  return value > mostDeclaredValue ? messages.declaredValueTooLarge : undefined
}

/** Evenly to two decimals. The last box takes the rest, so that the sum is the order's weight (SHIP-005, GAP-127). */
export function splitWeight(total: number, count: number): number[] {
  const hundredths = Math.round(total * 100)
  const each = Math.floor(hundredths / count)
  return Array.from(
    { length: count },
    (_, index) => (index === count - 1 ? hundredths - each * (count - 1) : each) / 100,
  )
}

interface Line {
  readonly id: string
  readonly quantity: number
  readonly parent_line_item_id?: string | null
}

/** At most one box per bottle (GAP-128); an engraving is no bottle. */
export function mostBoxes(items: readonly Line[]): number {
  return Math.max(
    1,
    ownLines({ items }).reduce((sum, { item }) => sum + item.quantity, 0),
  )
}
