import IconBellRinging from '@tabler/icons-react/dist/esm/icons/IconBellRinging.mjs'
import { Link } from '@tanstack/react-router'
import styles from './alarm-bell.module.css'
import { alarms, notice } from './alarms.ts'

/** The alarms that nobody has noticed yet, in the header. */
export function Unnoticed() {
  const { total, cancelled, items } = alarms.use()
  const fresh = total - cancelled
  const onlyFresh = items.find(({ kind }) => kind === 'new')
  const onlyCancelled = items.find(({ kind }) => kind === 'cancelled')
  return (
    <div className={styles.unnoticed} data-cancelled={cancelled > 0 || undefined}>
      <IconBellRinging size={18} aria-hidden />
      {cancelled === 1 && onlyCancelled && (
        <Link to="/orders/view/$id" params={{ id: onlyCancelled.order_id }}>
          #{onlyCancelled.order_id} cancelled
        </Link>
      )}
      {cancelled > 1 && (
        <Link to="/orders/$tab" params={{ tab: 'cancelled' }}>
          {cancelled} cancelled
        </Link>
      )}
      {fresh === 1 && onlyFresh && (
        <Link to="/orders/view/$id" params={{ id: onlyFresh.order_id }}>
          1 new
        </Link>
      )}
      {fresh > 1 && (
        <Link to="/orders/$tab" params={{ tab: 'active' }}>
          {fresh} new
        </Link>
      )}
      <button type="button" onClick={() => notice(items)}>
        Got it
      </button>
    </div>
  )
}
