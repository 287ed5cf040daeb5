import { useNavigate } from '@tanstack/react-router'
import type { RefObject } from 'react'
import { useEffect, useEffectEvent, useId, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { useCan } from '#sign-in/public.ts'
import { commandsOf, commandsOnPage } from './commands.ts'
import type { Command } from './find-commands.ts'
import { findCommands } from './find-commands.ts'
import styles from './command-palette.module.css'

interface Props {
  input: RefObject<HTMLInputElement | null>
  typed: string
  entered: string
  onDone: () => void
  onShowShortcuts: () => void
}

/** The commands that match the palette's field. */
export function CommandList({ input, typed, entered, onDone, onShowShortcuts }: Props) {
  const id = useId()
  const navigate = useNavigate()
  const can = useCan()
  const [place, setPlace] = useState({ typed, index: 0 })
  const [onPage] = useState(commandsOnPage)
  const all = [...onPage, ...commandsOf({ navigate, can, showShortcuts: onShowShortcuts })]
  const hits = findCommands(all, typed, (order) => {
    void navigate({ to: '/orders/view/$id', params: { id: order } })
  })
  // A new text selects its first hit.
  const active = place.typed === typed ? place.index : 0
  const activeId = hits.length > 0 ? `${id}-${active}` : ''

  const run = (command: Command | undefined): void => {
    if (!command) return
    // In the same tick: no key may reach the page between the palette and the dialog that the command opens.
    flushSync(onDone)
    command.run()
  }
  const moveTo = (index: number): void => {
    const next = (index + hits.length) % Math.max(1, hits.length)
    setPlace({ typed, index: next })
    document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = useEffectEvent((event: KeyboardEvent): void => {
    if (event.isComposing) return
    const moves: Record<string, () => void> = {
      ArrowDown: () => moveTo(active + 1),
      ArrowUp: () => moveTo(active - 1),
      Enter: () => run(hits[active]),
    }
    if (!moves[event.key]) return
    event.preventDefault()
    moves[event.key]?.()
  })
  const catchUp = useEffectEvent(() => {
    if (entered !== '' && entered === typed) run(hits[0])
  })
  useEffect(() => {
    const field = input.current
    field?.addEventListener('keydown', onKeyDown)
    // React allows no `flushSync` inside an effect.
    const timer = setTimeout(catchUp)
    return () => {
      clearTimeout(timer)
      field?.removeEventListener('keydown', onKeyDown)
    }
  }, [input])
  useLayoutEffect(() => {
    const field = input.current
    field?.setAttribute('aria-expanded', 'true')
    field?.setAttribute('aria-controls', id)
    if (activeId) field?.setAttribute('aria-activedescendant', activeId)
    else field?.removeAttribute('aria-activedescendant')
  }, [input, id, activeId])

  return (
    <>
      <div className={styles.list} id={id} role="listbox" aria-label="Commands">
        {hits.map((command, index) => (
          <div
            key={`${command.group} ${command.label}`}
            id={`${id}-${index}`}
            className={styles.option}
            role="option"
            aria-selected={index === active}
            tabIndex={-1}
            onMouseDown={(event) => event.preventDefault()}
            onMouseMove={() => setPlace({ typed, index })}
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
    </>
  )
}
