import { byteOrderMark, csvLine } from '@cellarhand/contract/order-csv'
import { hourLabels } from './day-words.ts'
import type { DayFigures } from './queries.ts'

const head = [
  'Day',
  'Received',
  'Orders',
  'Accepted',
  'To decide',
  'On hold before accepting',
  'Rejected',
  'Cancelled',
  'Late',
  'To accept, median minutes',
  'To accept, 95th percentile',
  'To hand over, median minutes',
  'To hand over, 95th percentile',
]

/** The figures of the table, one line for each hour and one for the whole day. */
export function dayCsv(figures: DayFigures): string {
  const labels = hourLabels(figures.hours, figures.timezone)
  const lineOf = (label: string, row: DayFigures | DayFigures['hours'][number]) => [
    figures.day,
    label,
    row.orders,
    row.accepted,
    row.waiting,
    row.held,
    row.rejected,
    row.cancelled,
    row.late,
    row.to_accept.median,
    row.to_accept.p95,
    row.to_hand_over.median,
    row.to_hand_over.p95,
  ]
  const lines = figures.hours.map((hour, index) => lineOf(labels[index] ?? '', hour))
  return byteOrderMark + [head, ...lines, lineOf('All day', figures)].map(csvLine).join('')
}
