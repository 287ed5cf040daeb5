import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Moment } from '#ui/blocks/moment.tsx'
import type { Shift } from './queries.ts'
import styles from './shift-page.module.css'

interface Named {
  id: string
  recipient: string
  taken_by: string | null
}

interface Props<Order extends Named> {
  title: string
  part: { total: number; orders: readonly Order[] }
  none: string
  shift: Pick<Shift, 'timezone'>
  isBad?: boolean
  statusOf: (order: Order) => string
  when: { head: string; of: (order: Order) => string; className?: string | undefined }
  /** What hinders the orders, in words. */
  why?: { head: string; of: (order: Order) => ReactNode } | undefined
  /** To a list of these orders. */
  children?: ReactNode
}

/** For the links of the figures at the top. */
export function cardId(title: string): string {
  return `shift-${title.toLowerCase().replaceAll(' ', '-')}`
}

/** A part of the hand-over: how many orders, and the first of them as rows. */
export function OrdersCard<Order extends Named>(props: Props<Order>) {
  const { title, none, isBad, children } = props
  const { total, orders } = props.part
  const id = cardId(title)
  return (
    <section className={styles.card} aria-labelledby={id}>
      <h2 id={id} data-bad={(isBad && total > 0) || undefined}>
        {title} {total > 0 && <span>{total.toLocaleString('en-US')}</span>}
        {total > 0 && children && <small>{children}</small>}
      </h2>
      {total === 0 ? <p className={styles.none}>{none}</p> : <OrderRows {...props} />}
      {total > orders.length && (
        <p className={styles.none}>And {(total - orders.length).toLocaleString('en-US')} more.</p>
      )}
    </section>
  )
}

function OrderRows<Order extends Named>({ part, shift, statusOf, when, why }: Props<Order>) {
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">Order</th>
          <th scope="col">Recipient</th>
          <th scope="col">Status</th>
          <th scope="col" className={styles.due}>
            {when.head}
          </th>
          {why && <th scope="col">{why.head}</th>}
          <th scope="col">Who has it</th>
        </tr>
      </thead>
      <tbody>
        {part.orders.map((order) => (
          <tr key={order.id}>
            <th scope="row">
              <Link to="/orders/view/$id" params={{ id: order.id }} preload={false}>
                #{order.id}
              </Link>
            </th>
            <td>{order.recipient}</td>
            <td>{statusOf(order)}</td>
            <td className={`${styles.due} ${when.className ?? ''}`}>
              <Moment at={when.of(order)} timezone={shift.timezone} />
            </td>
            {why && <td>{why.of(order)}</td>}
            <td data-nobody={order.taken_by === null || undefined}>{order.taken_by ?? '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
