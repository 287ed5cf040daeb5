import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import type { KeyboardEvent as ReactKeyboardEvent, ReactNode, RefObject } from 'react'
import { Suspense, useEffectEvent, useId, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { takeKeys } from '#lib/keys/keyboard.ts'
import { LateNote } from './late-note.tsx'
import { Spinner } from '../blocks/spinner.tsx'
import styles from './dialog.module.css'

interface Props {
  title: string
  onClose: () => void
  children: ReactNode
  size?: number
}

/**
 * A modal dialog. It owns the keys from the tick that opens it, keeps the focus, gives it back, and closes on Escape.
 * The element with `data-autofocus` receives the focus once the dialog is painted; a field with `data-keeps-keys`
 * receives it at once. The dialog comes with the order list, so it uses no Mantine: `FormDialog` does.
 */
export function Dialog({ title, onClose, children, size = 480 }: Props) {
  const id = useId()
  const box = useRef<HTMLElement>(null)
  useModal(box, onClose)
  return createPortal(
    <div className={styles.dialog}>
      <div className={styles.backdrop} onClick={onClose} />
      <section
        ref={box}
        className={styles.content}
        role="dialog"
        aria-modal
        aria-labelledby={id}
        tabIndex={-1}
        style={{ width: size }}
        onKeyDown={keepTabInside}
      >
        <div className={styles.header}>
          <h2 className={styles.title} id={id}>
            {title}
          </h2>
          <button type="button" className={styles.close} aria-label="Close dialog" onClick={onClose}>
            <IconX size={20} aria-hidden />
          </button>
        </div>
        <div className={styles.body}>{children}</div>
      </section>
    </div>,
    document.body,
  )
}

/** Shows a dialog's frame while the browser still fetches the dialog. */
export function DialogPart({ title, onClose, children }: Omit<Props, 'size'>) {
  const frame = (
    <Dialog title={title} onClose={onClose}>
      <div className={styles.loading} tabIndex={-1} data-autofocus>
        <Spinner label="Loading" />
      </div>
    </Dialog>
  )
  return <Suspense fallback={frame}>{children}</Suspense>
}

function useModal(dialog: RefObject<HTMLElement | null>, onClose: () => void): void {
  const close = useEffectEvent(onClose)
  useLayoutEffect(() => {
    const box = dialog.current
    const opener = document.activeElement
    const keys = takeKeys(box)
    let isOpen = true
    const start = (): void => {
      if (!isOpen) return
      keys.start()
      if (document.activeElement === box && !focusOn(box, '[data-autofocus]')) focusOn(box, 'button')
    }
    // Unlike `afterPaint`, this always waits for the frame. A hidden tab has none, and receives no keys either.
    requestAnimationFrame(() => setTimeout(start))
    const listen = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented || !keys.isOnTop()) return
      event.preventDefault()
      close()
    }
    addEventListener('keydown', listen)
    if (!focusOn(box, '[data-keeps-keys]')) box?.focus({ preventScroll: true })
    return () => {
      isOpen = false
      removeEventListener('keydown', listen)
      keys.giveBack()
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true })
    }
  }, [dialog])
}

function focusOn(box: HTMLElement | null, selector: string): boolean {
  const element = box?.querySelector<HTMLElement>(selector)
  element?.focus({ preventScroll: true })
  return Boolean(element)
}

/** Moves from the last field or button to the first, and back. */
function keepTabInside(event: ReactKeyboardEvent<HTMLElement>): void {
  const { key, shiftKey, target, currentTarget: box } = event
  if (key !== 'Tab' || !(target instanceof HTMLElement) || !box.contains(target)) return
  const stops = [...box.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, [tabindex]')]
  const open = stops.filter(
    (each) => each.tabIndex >= 0 && !each.matches(':disabled') && each.checkVisibility(),
  )
  const [from, to] = shiftKey ? [open.at(0), open.at(-1)] : [open.at(-1), open.at(0)]
  if (target !== from && !(shiftKey && target === box)) return
  event.preventDefault()
  to?.focus()
}

/** The buttons at the end of a dialog, the likeliest last. */
export function DialogButtons({ children }: { children: ReactNode }) {
  return (
    <div className={styles.end}>
      <LateNote />
      <div className={styles.buttons}>{children}</div>
    </div>
  )
}
