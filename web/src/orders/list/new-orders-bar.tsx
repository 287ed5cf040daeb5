import { methodLabel } from '@cellarhand/contract/labels'
import { firstMessages as messages } from '@cellarhand/contract/first-messages'
import IconPointFilled from '@tabler/icons-react/dist/esm/icons/IconPointFilled.mjs'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useShortcuts } from '#lib/keys/shortcuts.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import type { ListView } from '../state/list-view.ts'
import { belongsTo, compareRows } from '../state/list-view.ts'
import { reaches } from '../state/order-cache.ts'
import { mergePending, openPending, orderToShow, pendingOrders } from '../state/pending-orders.ts'
import { ordersQuery } from '../state/queries.ts'
import styles from './new-orders-bar.module.css'

/** With so many the bar keeps to one line on a tablet, and covers no more of the list. */
const NAMED = 3

/**
 * "2 new orders", each with its own link. Show puts them all into the list. If a filter would hide one, or the list is
 * not loaded as far as its place, Show opens the newest first.
 */
export function NewOrdersBar({ view }: { view: ListView }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const pending = pendingOrders.use()
  const show = (): void => {
    const loaded = queryClient.getQueryData(ordersQuery(merchantKey(), view).queryKey)?.pages.at(-1)
    const isInReach = pending.every((order) => belongsTo(view, order) && reaches(loaded, order, view))
    const [top] = pending.toSorted((a, b) => compareRows(view.sort, a, b))
    mergePending(queryClient)
    if (!isInReach) void navigate({ to: '.', search: { sort: 'desc' } })
    if (top) orderToShow.set(top.id)
  }
  useShortcuts({ s: show })
  return (
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
      <Button look="plain" onClick={show}>
        Show <kbd aria-hidden>s</kbd>
      </Button>
    </div>
  )
}
