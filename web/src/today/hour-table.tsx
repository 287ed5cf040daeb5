import { durationOr, hourLabels } from './day-words.ts'
import type { DayFigures } from './queries.ts'
import styles from './today-page.module.css'

interface Props {
  figures: DayFigures
  isNarrow: boolean
  /** The day is not over, so its last hour still grows. */
  isGoingOn: boolean
}

type Row = DayFigures | DayFigures['hours'][number]

const hourMs = 3_600_000

export function HourTable({ figures, isNarrow, isGoingOn }: Props) {
  const labels = hourLabels(figures.hours, figures.timezone)
  const isNow = (at: string) => isGoingOn && Date.parse(figures.as_of) - Date.parse(at) < hourMs
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">Orders by hour, with median times</caption>
      <thead>
        <tr>
          <th scope="col">Received</th>
          <th scope="col">Orders</th>
          {!isNarrow && (
            <>
              <th scope="col">Accepted</th>
              <th scope="col">Rejected</th>
              <th scope="col">Cancelled</th>
            </>
          )}
          <th scope="col">Late</th>
          <th scope="col">To accept</th>
          <th scope="col">To hand over</th>
        </tr>
      </thead>
      <tbody>
        {figures.hours.map((hour, index) => (
          <HourRow
            key={hour.at}
            {...{ isNarrow, row: hour, label: labels[index] ?? '' }}
            isNow={isNow(hour.at)}
          />
        ))}
      </tbody>
      <tfoot>
        <HourRow row={figures} label="All day" isNarrow={isNarrow} isNow={false} />
      </tfoot>
    </table>
  )
}

function HourRow({
  row,
  label,
  isNarrow,
  isNow,
}: {
  row: Row
  label: string
  isNarrow: boolean
  isNow: boolean
}) {
  const folded = isNarrow ? endedWords(row) : ''
  return (
    <tr data-now={isNow || undefined}>
      <th scope="row">
        {label} {isNow && <span className={styles.quiet}>so far</span>}
        {folded && <small>{folded}</small>}
      </th>
      <td>{row.orders}</td>
      {!isNarrow && (
        <>
          <td>{row.accepted || '–'}</td>
          <td>{row.rejected || '–'}</td>
          <td>{row.cancelled || '–'}</td>
        </>
      )}
      <td data-late={row.late > 0 || undefined}>{row.late || '–'}</td>
      <td>{durationOr(row.to_accept.median, '–')}</td>
      <td>{durationOr(row.to_hand_over.median, isNow ? 'not yet' : '–')}</td>
    </tr>
  )
}

function endedWords({ rejected, cancelled }: Row): string {
  return [rejected > 0 && `${rejected} rejected`, cancelled > 0 && `${cancelled} cancelled`]
    .filter(Boolean)
    .join(', ')
}
