import { Suspense, useRef, useState } from 'react'
import { lazyPart } from '#lib/parts/lazy-part.ts'
import { Dialog } from '#ui/dialogs/dialog.tsx'
import { Spinner } from '#ui/blocks/spinner.tsx'
import styles from './command-palette.module.css'

const CommandList = lazyPart(() => import('./command-list.tsx'), 'CommandList')

export const preloadCommands = CommandList.preload

interface Props {
  onClose: () => void
  onShowShortcuts: () => void
}

/** Every command, found by typing. The field appears at once and keeps the letters until the commands arrive. */
export function CommandPalette({ onClose, onShowShortcuts }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  /** The text in the field when the clerk pressed Enter. If the list arrives later, it runs the command then. */
  const [entered, setEntered] = useState('')
  return (
    <Dialog title="Commands" onClose={onClose} size={560}>
      <input
        ref={input}
        className={styles.field}
        role="combobox"
        aria-label="Command, page or order number"
        aria-expanded={false}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        data-keeps-keys
        placeholder="Command, page or order number"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={({ key, nativeEvent }) => {
          if (key === 'Enter' && !nativeEvent.isComposing) setEntered(typed)
        }}
      />
      <Suspense
        fallback={
          <div className={styles.loading}>
            <Spinner label="Loading the commands" />
          </div>
        }
      >
        <CommandList {...{ input, typed, entered, onShowShortcuts }} onDone={onClose} />
      </Suspense>
    </Dialog>
  )
}
