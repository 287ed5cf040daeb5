import { methodLabel } from '@cellarhand/contract/labels'
import { messages } from '@cellarhand/contract/messages'
import IconPointFilled from '@tabler/icons-react/dist/esm/icons/IconPointFilled.mjs'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { mergePending, openPending, pendingOrders } from './pending-orders.ts'
import styles from './new-orders-bar.module.css'

const NAMED = 4

/** "2 new orders", each openable singly; Show puts them all into the list. The live region stays when it is empty. */
export function NewOrdersBar() {
  const queryClient = useQueryClient()
  const pending = pendingOrders.use()
  return (
    <div className={styles.region}>
      <span className="visually-hidden" role="status">
        {pending.length > 0 && messages.newOrders(pending.length)}
      </span>
      {pending.length > 0 && (
        <div className={styles.bar}>
          <IconPointFilled size={16} aria-hidden />
          <strong>{messages.newOrders(pending.length)}</strong>
          <ul className={styles.names}>
            {pending.slice(0, NAMED).map((order) => (
              <li key={order.id}>
                <Link
                  to="/orders/view/$id"
                  params={{ id: order.id }}
                  onClick={() => openPending(queryClient, order.id)}
                >
                  #{order.id} {methodLabel(order.delivery.method, order.courier_estimate_id)}
                </Link>
              </li>
            ))}
            {pending.length > NAMED && <li>and {pending.length - NAMED} more</li>}
          </ul>
          <button type="button" onClick={() => mergePending(queryClient)}>
            Show
          </button>
        </div>
      )}
    </div>
  )
}
