import type { NewOrder } from '@cellarhand/contract/marketplace'
import { email, zip } from '@cellarhand/contract/validation'

const clockSkewMs = 5 * 60_000

/** Whether a well-formed YYYY-MM-DD is in the calendar. */
function isRealDay(day: string): boolean {
  const time = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day)
}

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
      (submitted && Date.parse(submitted) > nowMs + clockSkewMs ? 'Must not be in the future' : undefined),
    'customer.last_order': unreal(order.customer.last_order),
    'delivery.date': date && !isRealDay(date) ? 'Is not a real date' : undefined,
    'delivery.window':
      unreal(start) ??
      unreal(end) ??
      (start && end && Date.parse(end) <= Date.parse(start) ? 'Must end after it starts' : undefined),
    ...Object.fromEntries(
      order.items.map((item, index) => {
        const day = item.aux_data?.preorder_available_date
        return [
          `items.${index}.aux_data.preorder_available_date`,
          day && !isRealDay(day) ? 'Is not a real date' : undefined,
        ]
      }),
    ),
  }
}

export function contactProblems(order: NewOrder): Record<string, string | undefined> {
  const isAbroad = !['', 'US', 'USA'].includes((order.recipient.country ?? '').toUpperCase())
  return {
    'recipient.zipcode': isAbroad ? undefined : zip(order.recipient.zipcode),
    'customer.email': email(order.customer.email ?? ''),
  }
}
