import { firstMessages as messages } from '@cellarhand/contract/first-messages'
import { Suspense } from 'react'
import { lazyPart } from '#lib/parts/lazy-part.ts'
import type { ListView } from '../state/list-view.ts'
import { pendingOrders } from '../state/pending-orders.ts'
import styles from './new-orders-bar.module.css'

const NewOrdersBar = lazyPart(() => import('./new-orders-bar.tsx'), 'NewOrdersBar')

export const preloadNewOrders = NewOrdersBar.preload

/** The place of the new orders over the end of the list. Its live region stays when it is empty. */
export function NewOrders({ view }: { view: ListView }) {
  const { length } = pendingOrders.use()
  return (
    <div className={styles.region}>
      <span className="visually-hidden" role="status">
        {length > 0 && messages.newOrders(length)}
      </span>
      {length > 0 && (
        <Suspense>
          <NewOrdersBar view={view} />
        </Suspense>
      )}
    </div>
  )
}
