import { useLayoutEffect, useRef } from 'react'
import type { MissingPartProps } from '#lib/parts/lazy-part.ts'
import { Button } from '../blocks/button.tsx'
import styles from './missing-part.module.css'
import { FailedNote } from '../notes/notes.tsx'

const words = 'This part of the page did not load. Nothing was changed. Check the connection, then try again.'

/** Takes the place of a part that could not be fetched. It must not need a fetched part itself. */
export function MissingPartNote({ onClose, onRetry }: MissingPartProps) {
  return onClose ? (
    <MissingDialog onClose={onClose} onRetry={onRetry} />
  ) : (
    <FailedNote text={`${words} If it fails again, reload the page.`} onRetry={onRetry} />
  )
}

function MissingDialog({ onClose, onRetry }: Required<MissingPartProps> & { onClose: () => void }) {
  const box = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const dialog = box.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={box}
      className={styles.dialog}
      aria-modal
      aria-label="Not loaded"
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      // The page's single keys must not work behind this dialog.
      onKeyDown={(event) => event.stopPropagation()}
    >
      <p role="alert">{words}</p>
      <div className={styles.buttons}>
        <Button look="plain" onClick={onClose}>
          Cancel
        </Button>
        <Button onClick={onRetry}>Try again</Button>
      </div>
    </dialog>
  )
}
