import { firstMessages as messages } from '@cellarhand/contract/first-messages'
import { Suspense } from 'react'
import { lazyPart } from '#lib/parts/lazy-part.ts'
import type { ListView } from '../state/list-view.ts'
import { pendingOrders } from '../state/pending-orders.ts'
import styles from './new-orders-bar.module.css'

const NewOrders = lazyPart(async () => (await import('./new-orders.tsx')).NewOrders)

export const preloadNewOrders = NewOrders.preload

/** Says that there are new orders, and shows them; the live region stays when it is empty. */
export function NewOrdersBar({ view }: { view: ListView }) {
  const { length } = pendingOrders.use()
  return (
    <div className={styles.region}>
      <span className="visually-hidden" role="status">
        {length > 0 && messages.newOrders(length)}
      </span>
      <Suspense>{length > 0 && <NewOrders view={view} />}</Suspense>
    </div>
  )
}
