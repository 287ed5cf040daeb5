import { Outlet } from '@tanstack/react-router'
import styles from './orders-frame.module.css'
import { TabList } from './tab-list.tsx'

/** The left tab list beside every order page; a row on top where the screen is narrow. */
export function OrdersFrame() {
  return (
    <div className={styles.frame}>
      <TabList />
      <main className={styles.main}>
        <Outlet />
      </main>
    </div>
  )
}
