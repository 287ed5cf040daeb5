import IconAlertCircle from '@tabler/icons-react/dist/esm/icons/IconAlertCircle.mjs'
import IconInbox from '@tabler/icons-react/dist/esm/icons/IconInbox.mjs'
import type { ReactNode } from 'react'
import { Button } from '../blocks/button.tsx'
import styles from './notes.module.css'

/** Takes the content's place when there is nothing to show, which is no fault. */
export function EmptyNote({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div className={styles.note}>
      <IconInbox size={30} stroke={1.5} aria-hidden />
      <p>{text}</p>
      {children}
    </div>
  )
}

/** Takes the content's place when it could not be loaded, and offers to load it again. */
export function FailedNote({ text, onRetry }: { text: string; onRetry: () => void }) {
  return (
    <div className={styles.note} data-failed>
      <IconAlertCircle size={24} stroke={1.75} aria-hidden />
      <p>{text}</p>
      <Button look="plain" onClick={onRetry}>
        Try Again
      </Button>
    </div>
  )
}
