import styles from './reports-page.module.css'

export function ReportsPage() {
  return (
    <main className={styles.page}>
      <h1>Reports</h1>
      <p>Coming Soon...</p>
    </main>
  )
}
