import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react'
import { createContext, Suspense, useEffect, useId, useRef, useState } from 'react'
import { useKeys } from '#lib/keys/keyboard.ts'
import styles from './drop-panel.module.css'
import { OpeningKeys } from './opening-keys.tsx'

interface Props {
  label: string
  /** The present choice, in words; undefined without one. */
  chosen: string | undefined
  onClear: () => void
  /** A press is likely, so the panel's parts can be fetched. */
  onIntent: () => void
  children: ReactNode
}

/** Lets the panel's contents close the panel when they are done. */
export const ClosePanel = createContext((): void => {})

/** A button that opens a small panel below it; Escape, a press elsewhere and leaving it with the keyboard close it. */
export function DropPanel({ label, chosen, onClear, onIntent, children }: Props) {
  const [isOpen, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  useKeys(isOpen)
  useEffect(() => {
    if (!isOpen) return
    const leave = (event: Event): void => {
      if (event.target instanceof Node && !box.current?.contains(event.target)) setOpen(false)
    }
    document.addEventListener('pointerdown', leave)
    document.addEventListener('focusin', leave)
    return () => {
      document.removeEventListener('pointerdown', leave)
      document.removeEventListener('focusin', leave)
    }
  }, [isOpen])
  const close = (): void => {
    setOpen(false)
    button.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !isOpen) return
    event.preventDefault()
    close()
  }
  // Pressing next to a field would take the focus out of the panel, and so close the panel before the press is over.
  const onMouseDown = (event: MouseEvent): void => {
    if (event.target instanceof Element && !event.target.closest('input, button')) event.preventDefault()
  }
  return (
    <div
      ref={box}
      className={styles.drop}
      data-chosen={chosen !== undefined || undefined}
      onKeyDown={onKeyDown}
    >
      <button
        ref={button}
        type="button"
        className={styles.button}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onPointerEnter={onIntent}
        onFocus={onIntent}
        onClick={() => setOpen(!isOpen)}
      >
        {label}
        {chosen === undefined ? <IconChevronDown size={14} aria-hidden /> : <span>: {chosen}</span>}
      </button>
      {chosen !== undefined && (
        <button
          type="button"
          className={styles.clear}
          aria-label={`Clear ${label.toLowerCase()}`}
          onClick={() => {
            onClear()
            button.current?.focus()
          }}
        >
          <IconX size={14} aria-hidden />
        </button>
      )}
      {isOpen && (
        <div id={id} className={styles.panel} role="group" aria-label={label} onMouseDown={onMouseDown}>
          <Suspense fallback={<OpeningKeys onClose={close} />}>
            <ClosePanel value={close}>{children}</ClosePanel>
          </Suspense>
        </div>
      )}
    </div>
  )
}
