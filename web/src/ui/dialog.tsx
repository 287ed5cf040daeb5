import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useEffect, useEffectEvent, useId, useLayoutEffect } from 'react'
import { afterPaint } from '#lib/after-paint.ts'
import { LateNote } from './late-note.tsx'
import { MantineRoot } from './mantine-root.tsx'
import styles from './dialog.module.css'

interface Props {
  title: string
  onClose: () => void
  children: ReactNode
  size?: number
}

/** Which dialogs are open, the topmost last: one may open another over itself. */
const open: string[] = []

/** A modal with the house's rules: it traps and gives back the focus, Escape closes it, and it adds no <style>. */
export function Dialog({ title, onClose, children, size = 480 }: Props) {
  const id = useId()
  usePageBehind(id)
  useEscape(id, onClose)
  return (
    <MantineRoot>
      <Modal
        opened
        onClose={onClose}
        title={title}
        size={size}
        centered
        closeOnEscape={false}
        lockScroll={false}
        returnFocus={false}
        transitionProps={{ duration: 0 }}
        closeButtonProps={{ 'aria-label': 'Close dialog' }}
        classNames={{
          title: styles.title,
          content: styles.content,
          header: styles.header,
          body: styles.body,
        }}
      >
        {children}
      </Modal>
    </MantineRoot>
  )
}

/**
 * The page is hidden from screen readers while the dialog is open, and gets its focus back. The modal traps the focus
 * and covers the page for the pointer; `inert` would say the same once more, and style every element anew for it.
 */
function usePageBehind(id: string): void {
  useLayoutEffect(() => {
    open.push(id)
    const page = document.getElementById('root')
    const opener = document.activeElement
    let isOpen = true
    // The focus has to be in the dialog by then.
    afterPaint(() => isOpen && page?.setAttribute('aria-hidden', 'true'))
    return () => {
      isOpen = false
      open.splice(open.indexOf(id), 1)
      if (open.length === 0) page?.removeAttribute('aria-hidden')
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true })
    }
  }, [id])
}

/**
 * Escape is for the topmost dialog, and only when nothing inside it has used the press. Mantine hears the key before
 * what is inside does, and in every open dialog.
 */
function useEscape(id: string, onClose: () => void): void {
  const close = useEffectEvent(onClose)
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented || open.at(-1) !== id) return
      event.preventDefault()
      close()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [id])
}

/** The buttons at a dialog's end, the likeliest last. */
export function DialogButtons({ children }: { children: ReactNode }) {
  return (
    <div>
      <LateNote />
      <div className={styles.buttons}>{children}</div>
    </div>
  )
}
