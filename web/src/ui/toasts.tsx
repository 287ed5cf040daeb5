import IconAlertCircle from '@tabler/icons-react/dist/esm/icons/IconAlertCircle.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { createStore } from '#lib/store.ts'
import styles from './toasts.module.css'

interface Toast {
  id: number
  kind: 'success' | 'error'
  text: string
  detail?: string | undefined
}

const SHOWN_MS = 8000
const toasts = createStore<readonly Toast[]>([])
let lastId = 0

export function toast(kind: Toast['kind'], text: string, detail?: string): void {
  const others = toasts.get().filter((each) => each.text !== text)
  toasts.set([...others.slice(-3), { id: ++lastId, kind, text, detail }])
}

function dismiss(id: number): void {
  toasts.set(toasts.get().filter((each) => each.id !== id))
}

/** Outside the page's root, so that a message can be read and dismissed while a dialog is open. */
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

function ToastCard({ toast: { id, kind, text, detail } }: { toast: Toast }) {
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => dismiss(id), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [id, isHeld])
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
      </div>
      <button type="button" aria-label="Dismiss message" onClick={() => dismiss(id)}>
        <IconX size={16} aria-hidden />
      </button>
    </div>
  )
}
