import { namedAs } from '@cellarhand/contract/product-name'
import { Link } from '@tanstack/react-router'
import { config } from '#lib/calls/config.ts'
import styles from './download-dialog.module.css'

interface Failed {
  id: string
  message: string
}

/** The orders that failed, with the reasons. */
export function FailedOrders({ title, failed }: { title: string; failed: readonly Failed[] }) {
  return (
    <section className={styles.failed} aria-label={title}>
      <h3>{title}</h3>
      <ul tabIndex={0} aria-label="Orders and reasons">
        {failed.map(({ id, message }) => (
          <li key={id}>
            <b>{/^\d+$/.test(id) ? <OrderNumber id={id} /> : id}</b> {namedAs(config.productName, message)}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The order view says what can be done about it. */
function OrderNumber({ id }: { id: string }) {
  return (
    <Link to="/orders/view/$id" params={{ id }}>
      #{id}
    </Link>
  )
}
