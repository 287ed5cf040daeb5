import { foreignCountry } from '@cellarhand/contract/address-lines'
import type { NewOrder } from '@cellarhand/contract/marketplace'
import { email, zip } from '@cellarhand/contract/validation'
import { isRealDay, toWallTime } from '#platform/clock/zoned-time.ts'
import { refuseInvalid } from '#platform/http/refuse.ts'
import { mostSkewMs } from './submitted-at.ts'

/** Whether a well-formed ISO timestamp names an existing day, and is still well-formed in UTC. */
export function isRealTimestamp(timestamp: string): boolean {
  const year = new Date(timestamp).getUTCFullYear()
  return isRealDay(timestamp.slice(0, 10)) && year >= 1900 && year < 3000
}

export function dateProblems(order: NewOrder, nowMs: number): Record<string, string | undefined> {
  const unreal = (timestamp: string | null | undefined) =>
    timestamp && !isRealTimestamp(timestamp) ? 'Is not a real date' : undefined
  const { date, window } = order.delivery
  const [start, end] = window ?? []
  const submitted = order.date_submitted
  return {
    date_submitted:
      unreal(submitted) ??
      (submitted && Date.parse(submitted) > nowMs + mostSkewMs ? 'Must not be in the future' : undefined),
    'customer.last_order': unreal(order.customer.last_order),
    'delivery.date': date && !isRealDay(date) ? 'Is not a real date' : undefined,
    'delivery.window':
      (order.delivery.method === 'scheduled' && !window ? 'A scheduled order needs a window' : undefined) ??
      unreal(start) ??
      unreal(end) ??
      (start && end && Date.parse(end) <= Date.parse(start) ? 'Must end after it starts' : undefined),
  }
}

/** The day of a scheduled order: its window begins on it by the shop's clock. Other orders keep the day they came with. */
export function deliveryDate(
  { method, date, window }: NewOrder['delivery'],
  timezone: string,
): string | null {
  const [start] = window ?? []
  if (method !== 'scheduled' || !start) return date ?? null
  const { year, month, day } = toWallTime(Date.parse(start), timezone)
  const begins = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
  refuseInvalid({
    'delivery.date': date && date !== begins ? `The window begins on ${begins} in ${timezone}` : undefined,
  })
  return begins
}

export function zipProblem({ country = null, zipcode }: { country?: string | null; zipcode: string }) {
  return foreignCountry({ country }) === undefined ? zip(zipcode) : undefined
}

export function contactProblems(order: NewOrder): Record<string, string | undefined> {
  return {
    'recipient.zipcode': zipProblem(order.recipient),
    'customer.email': email(order.customer.email ?? ''),
  }
}
