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
import { Moment } from '#ui/blocks/moment.tsx'
import { Spinner } from '#ui/blocks/spinner.tsx'
import { KeptNote, NoLineNote, useIsAway } from '#ui/notes/no-line.tsx'
import { FailedNote } from '#ui/notes/notes.tsx'
import { DutyCard } from './duty-card.tsx'
import { HeldCard } from './held-card.tsx'
import type { Shift } from './queries.ts'
import { dutyQuery, shiftQuery } from './queries.ts'
import styles from './shift-page.module.css'

type Part = Shift['late']
type Problem = NonNullable<Part['orders'][number]['problem']>

const problemWords: Record<Problem, string> = {
  needs_look: 'A rule stands against it',
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
          A newer one comes by itself once it is back.
        </KeptNote>
      )}
      {!shift && isAway && (
        <NoLineNote text="The hand-over comes by itself once it is back." onRetry={refetch} />
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
  const { late, soon, waiting_for_label: label, problems, timezone } = shift
  return (
    <>
      <Figures shift={shift} />
      <DutyCard />
      <div className={styles.notes}>
        <Suspense>
          <ShiftNotes timezone={timezone} />
        </Suspense>
      </div>
      <PartCard title="Late" part={late} none="Nothing is late." timezone={timezone} isBad>
        <Link to="/orders/$tab" params={{ tab: 'active' }} search={{ due: 'late' }}>
          In the list
        </Link>
      </PartCard>
      <PartCard title="Due soon" part={soon} none="Nothing is due soon." timezone={timezone}>
        <Link to="/orders/$tab" params={{ tab: 'active' }} search={{ due: 'soon' }}>
          In the list
        </Link>
      </PartCard>
      <PartCard
        title="Waiting for a label"
        part={label}
        none="No parcel waits for a label."
        timezone={timezone}
      >
        <Link to="/orders/$tab" params={{ tab: 'active' }} search={{ status: 'accepted' }}>
          Accepted orders
        </Link>
      </PartCard>
      <PartCard title="Problems" part={problems} none="No problems." timezone={timezone} isBad />
      <HeldCard shift={shift} />
      <ClerksCard shift={shift} />
      {shift.is_cut && (
        <p className={styles.quiet}>
          So many orders are open that this page looked at the 2,000 that are due first. The numbers at the
          top count all.
        </p>
      )}
    </>
  )
}

function Figures({ shift }: { shift: Shift }) {
  const { open, on_hold: onHold, groups, late, soon, waiting_for_label: label, problems } = shift
  const figures = [
    ['Open', open],
    ...groups.map(({ group, n }) => [displayGroupLabels[group], n] as const),
    ['On hold', onHold],
    ['Late', late.total],
    ['Due soon', soon.total],
    ['Waiting for a label', label.total],
    ['Problems', problems.total],
  ] as const
  return (
    <dl className={styles.figures}>
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value.toLocaleString('en-US')}</dd>
        </div>
      ))}
    </dl>
  )
}

interface PartProps {
  title: string
  part: Part
  none: string
  timezone: string
  isBad?: boolean
  children?: ReactNode
}

function PartCard({ title, part: { total, orders }, none, timezone, isBad, children }: PartProps) {
  const id = `shift-${title.toLowerCase().replaceAll(' ', '-')}`
  const hasProblems = orders.some(({ problem }) => problem !== null)
  return (
    <section className={styles.card} aria-labelledby={id}>
      <h2 id={id} data-bad={(isBad && total > 0) || undefined}>
        {title} {total > 0 && <span>{total.toLocaleString('en-US')}</span>}
        {total > 0 && <small>{children}</small>}
      </h2>
      {total === 0 ? (
        <p className={styles.none}>{none}</p>
      ) : (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Order</th>
              <th scope="col">Recipient</th>
              <th scope="col">Status</th>
              <th scope="col" className={styles.due}>
                Due
              </th>
              {hasProblems && <th scope="col">Problem</th>}
              <th scope="col">Who has it</th>
            </tr>
          </thead>
          <tbody>
            {orders.map((order) => (
              <tr key={order.id}>
                <th scope="row">
                  <Link to="/orders/view/$id" params={{ id: order.id }} preload={false}>
                    #{order.id}
                  </Link>
                </th>
                <td>{order.recipient}</td>
                <td>
                  {displayGroupLabels[order.group]}, {methodLabel(order.method, null)}
                </td>
                <td className={styles.due}>
                  <Moment at={order.deadline_at} timezone={timezone} />
                </td>
                {hasProblems && <td>{order.problem && problemWords[order.problem]}</td>}
                <td data-nobody={order.taken_by === null || undefined}>{order.taken_by ?? '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {total > orders.length && (
        <p className={styles.none}>And {(total - orders.length).toLocaleString('en-US')} more.</p>
      )}
    </section>
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
