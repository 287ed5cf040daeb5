import { useIsMutating } from '@tanstack/react-query'
import { useLate } from '#lib/use-late.ts'
import styles from './dialog.module.css'

/** In a dialog whose change, or one before it, has had no answer for a while. */
export function LateNote() {
  const isLate = useLate(useIsMutating() > 0)
  if (!isLate) return null
  return (
    <p role="status" className={styles.late}>
      Not confirmed yet. The server has not answered.
    </p>
  )
}
