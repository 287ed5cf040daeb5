import { byteOrderMark, csvLine, type Cell } from '@cellarhand/contract/order-csv'
import { causeOf, hourLabels, reasonOf } from './day-words.ts'
import type { ClerkFigures, DayFigures } from './queries.ts'

const timesHead = [
  'To accept, median minutes',
  'To accept, 95th percentile',
  'To hand over, median minutes',
  'To hand over, 95th percentile',
]
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
  ...timesHead,
]
const clerkHead = ['Clerk', 'Decided', 'Accepted', 'Rejected', ...timesHead, 'Late']

/**
 * The tables of the page, each after an empty line: one line for each hour and one for the whole day, then the reasons,
 * the late orders, and the clerks for those who may compare them. The reasons and the late orders have a last line for
 * those that the server does not name, so that they add up to the day's totals.
 */
export function dayCsv(figures: DayFigures, clerks: ClerkFigures['clerks']): string {
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
  const named = figures.reasons.reduce((sum, { count }) => sum + count, 0)
  const [otherReasons, moreLate] = [figures.rejected - named, figures.late - figures.late_orders.length]
  const tables = [
    [head, ...lines, lineOf('All day', figures)],
    [
      ...tableOf(['Rejected, why', 'Orders'], figures.reasons, (reason) => [reasonOf(reason), reason.count]),
      ...(otherReasons > 0 ? [['Other reasons', otherReasons]] : []),
    ],
    [
      ...tableOf(['Late order', 'Minutes late', 'Open', 'What held it up'], figures.late_orders, (order) => [
        order.id,
        order.late_minutes,
        order.is_open ? 'yes' : 'no',
        causeOf(order),
      ]),
      ...(moreLate > 0 ? [['More late orders', null, null, `${moreLate} not named here`]] : []),
    ],
    tableOf(clerkHead, clerks, (clerk) => [
      clerk.name,
      clerk.decided,
      clerk.accepted,
      clerk.rejected,
      clerk.to_accept.median,
      clerk.to_accept.p95,
      clerk.to_hand_over.median,
      clerk.to_hand_over.p95,
      clerk.late,
    ]),
  ]
  const texts = tables.filter((table) => table.length > 1).map((table) => table.map(csvLine).join(''))
  return byteOrderMark + texts.join('\r\n')
}

function tableOf<T>(heading: readonly string[], rows: readonly T[], cellsOf: (row: T) => Cell[]): Cell[][] {
  return [[...heading], ...rows.map(cellsOf)]
}
