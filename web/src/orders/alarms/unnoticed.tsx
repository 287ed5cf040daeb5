import type { Alarm } from '@cellarhand/contract/live'
import IconBellRinging from '@tabler/icons-react/dist/esm/icons/IconBellRinging.mjs'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { merchantKey } from '#sign-in/public.ts'
import { alarms, notice } from '../state/alarms.ts'
import { viewOf } from '../state/list-view.ts'
import { rowsOf } from '../state/order-cache.ts'
import { mergePending, pendingOrders } from '../state/pending-orders.ts'
import { ordersQuery } from '../state/queries.ts'
import styles from './alarm-bell.module.css'

/** Of a list by due time, new orders may be far down. */
const newestFirst = { sort: 'desc' } as const

/** The alarms that nobody has noticed yet, in the header. A press silences only what the clerk has before the eyes. */
export function Unnoticed() {
  const { total, cancelled, items } = alarms.use()
  const fresh = total - cancelled
  const onlyFresh = fresh === 1 ? items.find(({ kind }) => kind === 'new') : undefined
  const firstCancelled = items.find(({ kind }) => kind === 'cancelled')
  return (
    <div className={styles.unnoticed} data-cancelled={cancelled > 0 || undefined}>
      <IconBellRinging size={18} aria-hidden />
      {firstCancelled && (
        <Link to="/orders/view/$id" params={{ id: firstCancelled.order_id }}>
          #{firstCancelled.order_id} cancelled
        </Link>
      )}
      {cancelled > 1 && (
        <Link to="/orders/$tab" params={{ tab: 'cancelled' }}>
          {cancelled - 1} more
        </Link>
      )}
      {onlyFresh && (
        <Link to="/orders/view/$id" params={{ id: onlyFresh.order_id }}>
          1 not seen yet
        </Link>
      )}
      {fresh > 1 && (
        <Link to="/orders/$tab" params={{ tab: 'active' }} search={newestFirst}>
          {fresh} not seen yet
        </Link>
      )}
      <Press named={firstCancelled ?? onlyFresh} />
    </div>
  )
}

/** Silences the one alarm that is named here; if there is none, it shows the new orders. */
function Press({ named }: { named: Alarm | undefined }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  /** In front of the list, its orders count as seen. An order that the list does not hold yet is opened. */
  const show = async (): Promise<void> => {
    const list = ordersQuery(merchantKey(), viewOf('active', newestFirst))
    await navigate({ to: '/orders/$tab', params: { tab: 'active' }, search: newestFirst })
    const rows = rowsOf(await queryClient.ensureInfiniteQueryData(list))
    const shown = new Set([...pendingOrders.get(), ...rows].map(({ id }) => id))
    const seen = alarms.get().items.filter(({ order_id }) => shown.has(order_id))
    mergePending(queryClient)
    notice(seen)
    const [next] = alarms.get().items
    if (seen.length === 0 && next) await navigate({ to: '/orders/view/$id', params: { id: next.order_id } })
  }
  return named ? (
    <button type="button" onClick={() => notice([named])}>
      Got it
    </button>
  ) : (
    // If the list cannot be fetched, its page says so, and the alarm stays.
    <button type="button" onClick={() => void show().catch(() => undefined)}>
      See them
    </button>
  )
}
