import styles from './pending-pages.module.css'

const ROWS = Array.from({ length: 12 }, (_, index) => index)

/** The shape of the list before its rows are known. */
export function ListSkeleton() {
  return (
    <div className={styles.list} role="status">
      <span className="visually-hidden">Loading orders</span>
      <div className={styles.head} />
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

export function OrderPagePending() {
  return (
    <div className={styles.page} role="status">
      <span className="visually-hidden">Loading the order</span>
      <div className={styles.sub} />
      <div className={styles.blocks}>
        <div className={styles.block} />
        <div className={styles.block} />
      </div>
      <div className={styles.block} />
    </div>
  )
}
