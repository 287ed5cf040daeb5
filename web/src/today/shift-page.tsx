import { displayGroupLabels, methodLabel } from '@cellarhand/contract/labels'
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs'
import IconPrinter from '@tabler/icons-react/dist/esm/icons/IconPrinter.mjs'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense, type ReactNode } from 'react'
import { formatDate, formatTime, zoneName } from '#lib/time/dates.ts'
import { ShiftNotes } from '#notes/public.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { Spinner } from '#ui/blocks/spinner.tsx'
import { KeptNote, NoLineNote, useIsAway } from '#ui/notes/no-line.tsx'
import { FailedNote } from '#ui/notes/notes.tsx'
import { DutyCard } from './duty-card.tsx'
import { HeldCard } from './held-card.tsx'
import { OrdersCard } from './orders-card.tsx'
import type { Shift } from './queries.ts'
import { dutyQuery, shiftQuery } from './queries.ts'
import { ShiftFigures } from './shift-figures.tsx'
import styles from './shift-page.module.css'

type Part = Shift['late']
type Problem = NonNullable<Part['orders'][number]['problem']>

const problemWords: Record<Problem, string> = {
  needs_look: 'A rule is against it',
  label_failed: 'The label was not bought',
  courier_failed: 'The courier failed',
  courier_cancelled: 'The courier was cancelled',
}

/** What one shift hands over to the next, on one page for the screen and for paper. */
export function ShiftPage() {
  const { data: shift, isError, refetch, dataUpdatedAt } = useQuery(shiftQuery(merchantKey()))
  const isAway = useIsAway()
  // At the same time, so that its card does not push the others down later.
  useQuery(dutyQuery(merchantKey()))
  return (
    <main className={styles.page}>
      <div className={styles.head}>
        <h1>Shift hand-over</h1>
        <p className={styles.quiet} role="status">
          {shift && (
            <>
              {formatDate(shift.as_of, shift.timezone)},{' '}
              <time dateTime={shift.as_of} title={zoneName(shift.as_of, shift.timezone)}>
                {formatTime(shift.as_of, shift.timezone)}
              </time>
              , store time
            </>
          )}
        </p>
        <span className={styles.tools}>
          <Link className={styles.back} to="/today">
            <IconArrowLeft size={16} aria-hidden /> Today
          </Link>
          <Button look="plain" disabled={!shift} onClick={() => print()}>
            <IconPrinter size={16} aria-hidden /> Print
          </Button>
        </span>
      </div>
      {shift && (
        <KeptNote what="You see the hand-over" at={dataUpdatedAt} timezone={shift.timezone}>
          A newer one comes by itself once the connection is back.
        </KeptNote>
      )}
      {!shift && isAway && (
        <NoLineNote text="The hand-over comes by itself once the connection is back." onRetry={refetch} />
      )}
      {!shift && !isAway && isError && (
        <FailedNote text="The hand-over could not be loaded." onRetry={() => void refetch()} />
      )}
      {!shift && !isAway && !isError && (
        <div className={styles.pending}>
          <Spinner label="Loading the hand-over" />
        </div>
      )}
      {shift && <ShiftParts shift={shift} />}
    </main>
  )
}

function ShiftParts({ shift }: { shift: Shift }) {
  const { late, soon, waiting_for_label: label, problems } = shift
  return (
    <>
      <ShiftFigures shift={shift} />
      <DutyCard />
      <div className={styles.notes}>
        <Suspense>
          <ShiftNotes timezone={shift.timezone} />
        </Suspense>
      </div>
      <PartCard title="Late" part={late} none="Nothing is late." shift={shift} isBad>
        <Link to="/orders/$tab" params={{ tab: 'active' }} search={{ due: 'late' }}>
          In the list
        </Link>
      </PartCard>
      <PartCard title="Due soon" part={soon} none="Nothing is due soon." shift={shift}>
        <Link to="/orders/$tab" params={{ tab: 'active' }} search={{ due: 'soon' }}>
          In the list
        </Link>
      </PartCard>
      <PartCard title="Waiting for a label" part={label} none="No parcel waits for a label." shift={shift}>
        <Link to="/orders/$tab" params={{ tab: 'active' }} search={{ status: 'accepted' }}>
          Accepted orders
        </Link>
      </PartCard>
      <PartCard title="Problems" part={problems} none="No problems." shift={shift} isBad />
      <HeldCard shift={shift} />
      <ClerksCard shift={shift} />
      {shift.is_cut && (
        <p className={styles.quiet}>
          So many orders are open that this page looked at the 2,000 that are due first. Late, Due soon and
          Problems count those; the other numbers count all.
        </p>
      )}
    </>
  )
}

interface PartProps {
  title: string
  part: Part
  none: string
  shift: Shift
  isBad?: boolean
  children?: ReactNode
}

function PartCard({ part, ...props }: PartProps) {
  const hasProblems = part.orders.some(({ problem }) => problem !== null)
  return (
    <OrdersCard
      {...props}
      part={part}
      statusOf={({ group, method }) => `${displayGroupLabels[group]}, ${methodLabel(method, null)}`}
      when={{ head: 'Due', of: (order) => order.deadline_at }}
      why={
        hasProblems ? { head: 'Problem', of: ({ problem }) => problem && problemWords[problem] } : undefined
      }
    />
  )
}

function ClerksCard({ shift: { clerks, is_taken_cut: isCut } }: { shift: Shift }) {
  return (
    <section className={styles.card} aria-labelledby="shift-clerks">
      <h2 id="shift-clerks">Who has what</h2>
      {clerks.length === 0 ? (
        <p className={styles.none}>Nobody has taken an order.</p>
      ) : (
        <table className={`${styles.table} ${styles.clerks}`}>
          <thead>
            <tr>
              <th scope="col">Clerk</th>
              <th scope="col">Orders</th>
            </tr>
          </thead>
          <tbody>
            {clerks.map(({ by, name, n, orders }) => (
              <tr key={by}>
                <th scope="row">
                  {name}, {n}
                </th>
                <td className={styles.numbers}>
                  {orders.map((id) => (
                    <Link key={id} to="/orders/view/$id" params={{ id }} preload={false}>
                      #{id}
                    </Link>
                  ))}
                  {n > orders.length && <span>and {n - orders.length} more</span>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {isCut && (
        <p className={styles.none}>
          So many orders are taken that this part counts the first 2,000, clerk by clerk. More may be taken.
        </p>
      )}
    </section>
  )
}
