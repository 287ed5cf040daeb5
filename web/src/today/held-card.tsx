import { methodLabel, tabLabels, tabRoutes } from '@cellarhand/contract/labels'
import { Link } from '@tanstack/react-router'
import { untilWords } from '#lib/time/until-words.ts'
import { Moment } from '#ui/blocks/moment.tsx'
import type { Shift } from './queries.ts'
import styles from './shift-page.module.css'

/** Orders on hold have no due time and no group: instead of them the part tells when they came and what holds them. */
export function HeldCard({ shift: { held, timezone } }: { shift: Shift }) {
  const { total, orders } = held
  return (
    <section className={styles.card} aria-labelledby="shift-on-hold">
      <h2 id="shift-on-hold">
        {tabLabels.on_hold} {total > 0 && <span>{total.toLocaleString('en-US')}</span>}
        {total > 0 && (
          <small>
            <Link to="/orders/$tab" params={{ tab: tabRoutes.on_hold }} search={{ sort: 'asc' }}>
              In the list
            </Link>
          </small>
        )}
      </h2>
      {total === 0 ? (
        <p className={styles.none}>No order is on hold.</p>
      ) : (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Order</th>
              <th scope="col">Recipient</th>
              <th scope="col">Status</th>
              <th scope="col" className={styles.due}>
                Received
              </th>
              <th scope="col">Comment</th>
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
                  {tabLabels.on_hold}, {methodLabel(order.method, null)}
                </td>
                <td className={`${styles.due} ${styles.received}`}>
                  <Moment at={order.received_at} timezone={timezone} />
                </td>
                <td className={styles.reason}>
                  {order.reason}
                  {order.answer_until !== null && (
                    <p>Customer answers by {untilWords(order.answer_until, timezone)}</p>
                  )}
                </td>
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
