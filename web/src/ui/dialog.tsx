import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useLayoutEffect } from 'react'
import { afterPaint } from '#lib/after-paint.ts'
import { MantineRoot } from './mantine-root.tsx'
import styles from './dialog.module.css'

interface Props {
  title: string
  onClose: () => void
  children: ReactNode
  size?: number
}

/** A modal with the house's rules: it traps and gives back the focus, Escape closes it, and it adds no <style>. */
export function Dialog({ title, onClose, children, size = 480 }: Props) {
  usePageBehind()
  return (
    <MantineRoot>
      <Modal
        opened
        onClose={onClose}
        title={title}
        size={size}
        centered
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
function usePageBehind(): void {
  useLayoutEffect(() => {
    const page = document.getElementById('root')
    const opener = document.activeElement
    let isOpen = true
    // The focus has to be in the dialog by then.
    afterPaint(() => isOpen && page?.setAttribute('aria-hidden', 'true'))
    return () => {
      isOpen = false
      page?.removeAttribute('aria-hidden')
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true })
    }
  }, [])
}

/** The buttons at a dialog's end, the likeliest last. */
export function DialogButtons({ children }: { children: ReactNode }) {
  return <div className={styles.buttons}>{children}</div>
}
