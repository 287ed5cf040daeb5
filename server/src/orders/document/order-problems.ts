import type { NewOrder } from '@cellarhand/contract/marketplace'
import { email, zip } from '@cellarhand/contract/validation'

const clockSkewMs = 5 * 60_000

/** Whether a YYYY-MM-DD that has the right form is in the calendar too. */
function isRealDay(day: string): boolean {
  const time = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day)
}

/** Whether an ISO timestamp that has the right form names a day that exists, and still has that form in UTC. */
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

export function zipProblem({ country, zipcode }: { country?: string | null; zipcode: string }) {
  const isAbroad = !['', 'US', 'USA'].includes((country ?? '').toUpperCase())
  return isAbroad ? undefined : zip(zipcode)
}

export function contactProblems(order: NewOrder): Record<string, string | undefined> {
  return {
    'recipient.zipcode': zipProblem(order.recipient),
    'customer.email': email(order.customer.email ?? ''),
  }
}
