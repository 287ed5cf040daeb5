import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { WaitingWords } from '#ui/blocks/waiting-words.tsx'
import styles from './pending-pages.module.css'

const ROWS = Array.from({ length: 12 }, (_, index) => index)

/** The shape of the list before its rows are known. */
export function ListSkeleton() {
  return (
    <div className={styles.list}>
      <div className={styles.head}>
        <WaitingWords>Loading orders</WaitingWords>
      </div>
      {ROWS.map((row) => (
        <div key={row} className={styles.row}>
          <i />
          <i />
          <i />
          <i />
        </div>
      ))}
    </div>
  )
}

export function OrdersPagePending() {
  return (
    <div className={styles.page}>
      <div className={styles.sub} />
      <ListSkeleton />
    </div>
  )
}

export function OrderPagePending(): ReactNode {
  const { id } = useParams({ strict: false })
  return (
    <div className={styles.page}>
      <div className={styles.sub}>
        <WaitingWords>{`Loading order #${id}`}</WaitingWords>
      </div>
      <div className={styles.blocks}>
        <div className={styles.block} />
        <div className={styles.block} />
      </div>
      <div className={styles.block} />
    </div>
  )
}
