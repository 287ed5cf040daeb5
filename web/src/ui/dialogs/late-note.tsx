import { useIsMutating } from '@tanstack/react-query'
import { createContext, use } from 'react'
import { useLate } from '#lib/parts/use-late.ts'
import styles from './dialog.module.css'

/** The scope of the dialog's changes. Without one, the dialog is about the changes that have no scope. */
export const DialogScope = createContext<string | undefined>(undefined)

/** Shows when the dialog's change, or an earlier one in the same scope, has had no answer for a while. */
export function LateNote() {
  const scope = use(DialogScope)
  const isLate = useLate(useIsMutating({ predicate: ({ options }) => options.scope?.id === scope }) > 0)
  if (!isLate) return null
  return (
    <p role="status" className={styles.late}>
      Not confirmed yet. The server has not answered.
    </p>
  )
}
