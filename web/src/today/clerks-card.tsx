import { useQuery } from '@tanstack/react-query'
import { merchantKey } from '#sign-in/public.ts'
import { FailedNote } from '#ui/notes/notes.tsx'
import { duration, durationOr } from './day-words.ts'
import type { ClerkFigures, DayFigures } from './queries.ts'
import { clerksQuery } from './queries.ts'
import chartStyles from './hour-chart.module.css'
import styles from './today-page.module.css'

interface Props {
  day: string | undefined
  isNarrow: boolean
}

/** The server answers managers and owners alone. */
export function ClerksCard({ day, isNarrow }: Props) {
  const { data, isError, refetch } = useQuery(clerksQuery(merchantKey(), day))
  return (
    <section
      className={styles.card}
      aria-labelledby="clerks-title"
      aria-busy={data === undefined && !isError}
    >
      <h2 id="clerks-title">
        By clerk <span className={styles.quiet}>managers and owners see this</span>
      </h2>
      {isError && !data && (
        <FailedNote text="The figures could not be loaded." onRetry={() => void refetch()} />
      )}
      {data?.clerks.length === 0 && <p className={styles.none}>Nobody has decided on an order.</p>}
      {data !== undefined && data.clerks.length > 0 && (
        <>
          <p className={styles.none}>
            Each order counts for the clerk who decided first, also if it was cancelled later. Times are the
            median, and below it the time within which 95 of 100 were done.
          </p>
          <ClerkTable clerks={data.clerks} isNarrow={isNarrow} />
        </>
      )}
    </section>
  )
}

function ClerkTable({ clerks, isNarrow }: { clerks: ClerkFigures['clerks']; isNarrow: boolean }) {
  const most = Math.max(...clerks.map(({ decided }) => decided))
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">Clerk</th>
          {!isNarrow && (
            <td data-words>
              <ul className={chartStyles.key}>
                <li data-part="inTime">Accepted</li>
                <li data-part="ended">Rejected</li>
              </ul>
            </td>
          )}
          {!isNarrow && (
            <>
              <th scope="col">Accepted</th>
              <th scope="col">Rejected</th>
            </>
          )}
          <th scope="col">To accept</th>
          <th scope="col">To hand over</th>
          <th scope="col">Late</th>
        </tr>
      </thead>
      <tbody>
        {clerks.map((clerk) => (
          <tr key={clerk.id}>
            <th scope="row" data-words>
              {clerk.name}
              {isNarrow && (
                <small>
                  {clerk.accepted} accepted, {clerk.rejected} rejected
                </small>
              )}
            </th>
            {!isNarrow && (
              <>
                <td className={styles.split}>
                  <SplitBar {...clerk} most={most} />
                </td>
                <td>{clerk.accepted || '–'}</td>
                <td>{clerk.rejected || '–'}</td>
              </>
            )}
            <SpreadCell {...clerk.to_accept} />
            <SpreadCell {...clerk.to_hand_over} />
            <td data-late={clerk.late > 0 || undefined}>{clerk.late || '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The table beside it has the same two figures. */
function SplitBar({ accepted, rejected, most }: { accepted: number; rejected: number; most: number }) {
  return (
    <svg
      className={chartStyles.chart}
      height="12"
      viewBox={`0 0 ${most} 1`}
      preserveAspectRatio="none"
      aria-hidden
    >
      <rect className={chartStyles.inTime} width={accepted} height="1" />
      <rect
        className={chartStyles.ended}
        style={{ stroke: 'none' }}
        x={accepted}
        width={rejected}
        height="1"
      />
    </svg>
  )
}

function SpreadCell({ median, p95 }: DayFigures['to_accept']) {
  return (
    <td>
      {durationOr(median, '–')}
      {p95 !== null && <small>95 of 100: {duration(p95)}</small>}
    </td>
  )
}
