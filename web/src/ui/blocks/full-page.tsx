import type { ReactNode } from 'react'
import styles from './full-page.module.css'

/** One message and one action, in the middle of an otherwise empty page. */
export function FullPage({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <main className={styles.page}>
      <div className={styles.box}>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  )
}
