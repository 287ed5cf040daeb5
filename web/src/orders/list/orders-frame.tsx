import { Outlet } from '@tanstack/react-router'
import styles from './orders-frame.module.css'
import { TabList } from './tab-list.tsx'

/** The tab list on the left of every order page; on a narrow screen, a row at the top. */
export function OrdersFrame() {
  return (
    <div className={styles.frame} data-tabs>
      <TabList />
      <main className={styles.main}>
        <Outlet />
      </main>
    </div>
  )
}
