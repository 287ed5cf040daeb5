import IconAlertCircle from '@tabler/icons-react/dist/esm/icons/IconAlertCircle.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { createStore } from '#lib/kept/store.ts'
import { Button } from '../blocks/button.tsx'
import styles from './toasts.module.css'

interface Toast {
  id: number
  kind: 'success' | 'error'
  text: string
  detail?: string | undefined
  action?: Action | undefined
  /** The name of the action that failed. */
  of?: string | undefined
}

interface Action {
  of?: string
  label: string
  act: () => void
}

const SHOWN_MS = 8000
export const toasts = createStore<readonly Toast[]>([])
let lastId = 0

export function toast(kind: Toast['kind'], text: string, detail?: string): void {
  show({ kind, text, detail })
}

/** A failure that the clerk can act on. It stays until the clerk presses its button or dismisses it. */
export function toastWithAction(text: string, detail: string, action: Action): void {
  show({ kind: 'error', text, detail, action, of: action.of })
}

/** The failure of an action, under its name: `order 1000012` fails apart from `order 1000013`. */
export function tellFailure(of: string, text: string, detail?: string): void {
  show({ kind: 'error', text, detail, of })
}

function show(next: Omit<Toast, 'id'>): void {
  const others = toasts.get().filter(({ text, of }) => text !== next.text || of !== next.of)
  const shown = others.filter((each, at) => each.action ?? at >= others.length - 3)
  toasts.set([...shown, { id: ++lastId, ...next }])
}

function keep(isKept: (each: Toast) => boolean): void {
  toasts.set(toasts.get().filter(isKept))
}

/** The action that failed before is tried again, or has now succeeded. */
export function takeBackFailure(action: string): void {
  keep(({ of }) => of !== action)
}

function dismiss(gone: number): void {
  keep(({ id }) => id !== gone)
}

/** For the end of a session: the next person must not repeat this one's actions. */
export function dismissActions(): void {
  keep(({ action }) => !action)
}

/** Outside the page's root, so that the clerk can read and dismiss a message while a dialog is open. */
export function ToastRegion() {
  const shown = toasts.use()
  return createPortal(
    <div
      className={styles.region}
      role="status"
      aria-live="polite"
      aria-relevant="additions"
      aria-label="Messages"
    >
      {shown.map((each) => (
        <ToastCard key={each.id} toast={each} />
      ))}
    </div>,
    document.body,
  )
}

function ToastCard({ toast: { id, kind, text, detail, action } }: { toast: Toast }) {
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    if (isHeld || action) return
    const timer = setTimeout(() => dismiss(id), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [id, isHeld, action])
  const Icon = kind === 'error' ? IconAlertCircle : IconCircleCheck
  return (
    <div
      className={styles.toast}
      data-kind={kind}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon size={18} aria-hidden />
      <div>
        <p>{text}</p>
        {detail && <p className={styles.detail}>{detail}</p>}
        {action && (
          <Button
            size="small"
            onClick={() => {
              dismiss(id)
              action.act()
            }}
          >
            {action.label}
          </Button>
        )}
      </div>
      <button type="button" aria-label="Dismiss message" onClick={() => dismiss(id)}>
        <IconX size={16} aria-hidden />
      </button>
    </div>
  )
}
