import { useNavigate } from '@tanstack/react-router'
import type { KeyboardEvent } from 'react'
import { useId, useState } from 'react'
import { useCan } from '#sign-in/public.ts'
import { Dialog } from '#ui/dialog.tsx'
import { commandsOf, commandsOnPage } from './commands.ts'
import type { Command } from './find-commands.ts'
import { findCommands } from './find-commands.ts'
import styles from './command-palette.module.css'

interface Props {
  onClose: () => void
  onShowShortcuts: () => void
}

/** Everything that can be done from here, found by typing. */
export function CommandPalette({ onClose, onShowShortcuts }: Props) {
  const id = useId()
  const navigate = useNavigate()
  const can = useCan()
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(0)
  const [onPage] = useState(commandsOnPage)
  const all = [...onPage, ...commandsOf({ navigate, can, showShortcuts: onShowShortcuts })]
  const hits = findCommands(all, typed, (order) => {
    void navigate({ to: '/orders/view/$id', params: { id: order } })
  })

  const run = (command: Command | undefined): void => {
    if (!command) return
    onClose()
    // Once the page is in reach again: what is behind a dialog can be neither pressed nor focused.
    setTimeout(command.run)
  }
  const moveTo = (index: number): void => {
    const next = (index + hits.length) % Math.max(1, hits.length)
    setActive(next)
    document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    const moves: Record<string, () => void> = {
      ArrowDown: () => moveTo(active + 1),
      ArrowUp: () => moveTo(active - 1),
      Enter: () => run(hits[active]),
    }
    if (!moves[event.key]) return
    event.preventDefault()
    moves[event.key]?.()
  }

  return (
    <Dialog title="Commands" onClose={onClose} size={560}>
      <input
        className={styles.field}
        role="combobox"
        aria-label="Command, page or order number"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={hits.length > 0 ? `${id}-${active}` : undefined}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        placeholder="Command, page or order number"
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div className={styles.list} id={`${id}-list`} role="listbox" aria-label="Commands">
        {hits.map((command, index) => (
          <div
            key={`${command.group} ${command.label}`}
            id={`${id}-${index}`}
            className={styles.option}
            role="option"
            aria-selected={index === active}
            tabIndex={-1}
            onMouseDown={(event) => event.preventDefault()}
            onMouseMove={() => setActive(index)}
            onClick={() => run(command)}
          >
            <span>{command.label}</span>
            <span className={styles.group}>
              {command.keys?.split(' ').map((key) => (
                <kbd key={key} aria-hidden>
                  {key}
                </kbd>
              ))}
              {command.group}
            </span>
          </div>
        ))}
      </div>
      <p className={styles.nothing} role="status">
        {hits.length === 0 && 'Nothing here is called that.'}
      </p>
    </Dialog>
  )
}
