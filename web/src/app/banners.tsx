import { Suspense, useEffect, useState } from 'react'
import { IncompleteSettings } from '#billing/public.ts'
import { NewsBanner } from '#content/public.ts'
import { whenIdle } from '#lib/when-idle.ts'
import styles from './shell.module.css'

/** What concerns every page; nobody waits for it. */
export function Banners() {
  const [isSettled, setSettled] = useState(false)
  useEffect(() => whenIdle(() => setSettled(true)), [])
  if (!isSettled) return null
  return (
    <div className={styles.banners}>
      <Suspense>
        <IncompleteSettings />
        <NewsBanner />
      </Suspense>
    </div>
  )
}
