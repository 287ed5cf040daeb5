import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { keepFocusNear } from '#lib/keys/keep-focus-near.ts'
import { formatTime } from '#lib/time/dates.ts'
import { Button } from '#ui/blocks/button.tsx'
import { causeOf, duration, reasonOf } from './day-words.ts'
import type { DayFigures } from './queries.ts'
import styles from './today-page.module.css'

const firstFew = 8

export function LateCard({ figures: { late, late_orders: orders } }: { figures: DayFigures }) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? orders : orders.slice(0, firstFew)
  const unnamed = late - orders.length
  return (
    <section className={styles.card} aria-labelledby="late-title">
      <h2 id="late-title">
        Late <span className={styles.quiet}>{late > 1 && `${late}, the open ones first`}</span>
      </h2>
      {late === 0 && <p className={styles.none}>No order was late.</p>}
      {late > 0 && (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Order</th>
              <th scope="col" data-words>
                What held it up
              </th>
              <th scope="col">Late by</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((order) => (
              <tr key={order.id}>
                <th scope="row">
                  <Link to="/orders/view/$id" params={{ id: order.id }} preload={false}>
                    #{order.id}
                  </Link>
                </th>
                <td data-words>{causeOf(order)}</td>
                <td data-late={order.is_open || undefined}>
                  {duration(order.late_minutes)}
                  {order.is_open && ', open'}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {!isWhole && orders.length > firstFew && (
        <p className={styles.more}>
          <Button ref={keepFocusNear} look="plain" onClick={() => setWhole(true)}>
            Show all {orders.length}
          </Button>
        </p>
      )}
      {isWhole && unnamed > 0 && <p className={styles.none}>And {unnamed} more.</p>}
    </section>
  )
}

/** Bottles of orders of any day that are in the shop again: somebody has to look at them and put them away. */
export function CameBackCard({ figures: { came_back: back, timezone } }: { figures: DayFigures }) {
  if (back.length === 0) return null
  return (
    <section className={styles.card} aria-labelledby="back-title">
      <h2 id="back-title">
        Came back <span className={styles.quiet}>not in the stock list again</span>
      </h2>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Order</th>
            <th scope="col" data-words>
              Bottles
            </th>
            <th scope="col">When</th>
          </tr>
        </thead>
        <tbody>
          {back.map(({ id, bottles, of, by, at }) => (
            <tr key={`${id} ${at}`}>
              <th scope="row">
                <Link to="/orders/view/$id" params={{ id }} preload={false}>
                  #{id}
                </Link>
              </th>
              <td data-words>
                {bottles} of {of}, by {by}
              </td>
              <td>{formatTime(at, timezone)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

export function ReasonsCard({ figures: { rejected, reasons } }: { figures: DayFigures }) {
  const unnamed = rejected - reasons.reduce((sum, { count }) => sum + count, 0)
  return (
    <section className={styles.card} aria-labelledby="reasons-title">
      <h2 id="reasons-title">Rejected, why</h2>
      {rejected === 0 && <p className={styles.none}>No order was rejected.</p>}
      {rejected > 0 && (
        <table className={styles.table}>
          <thead className="visually-hidden">
            <tr>
              <th scope="col">Reason</th>
              <th scope="col">Orders</th>
            </tr>
          </thead>
          <tbody>
            {reasons.map((reason) => (
              <tr key={`${reason.code} ${reason.text}`}>
                <th scope="row" data-words>
                  {reasonOf(reason)}
                </th>
                <td>{reason.count}</td>
              </tr>
            ))}
            {unnamed > 0 && (
              <tr>
                <th scope="row">Other reasons</th>
                <td>{unnamed}</td>
              </tr>
            )}
          </tbody>
        </table>
      )}
    </section>
  )
}
