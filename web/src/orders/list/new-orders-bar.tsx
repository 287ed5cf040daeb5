import { methodLabel } from '@cellarhand/contract/labels'
import { firstMessages as messages } from '@cellarhand/contract/first-messages'
import IconPointFilled from '@tabler/icons-react/dist/esm/icons/IconPointFilled.mjs'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ListView } from '../state/list-view.ts'
import { belongsTo } from '../state/list-view.ts'
import { mergePending, openPending, pendingOrders } from '../state/pending-orders.ts'
import styles from './new-orders-bar.module.css'

const NAMED = 4

/** "2 new orders", each openable singly; Show puts them all into the list, and takes a filter off that would hide some. The live region stays when it is empty. */
export function NewOrdersBar({ view }: { view: ListView }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const pending = pendingOrders.use()
  const show = (): void => {
    if (pending.some((order) => !belongsTo(view, order)))
      void navigate({ to: '.', search: view.sort ? { sort: view.sort } : {} })
    mergePending(queryClient)
  }
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
          <button type="button" onClick={show}>
            Show
          </button>
        </div>
      )}
    </div>
  )
}
