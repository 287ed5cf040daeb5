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
 * The page is out of reach while the dialog is open, and gets its focus back. It is put out of reach once the dialog is
 * painted: all of its elements are styled anew for it. It is back at once, for whatever takes the focus next.
 */
function usePageBehind(): void {
  useLayoutEffect(() => {
    const page = document.getElementById('root')
    const opener = document.activeElement
    let isOpen = true
    afterPaint(() => {
      if (!isOpen) return
      page?.setAttribute('aria-hidden', 'true')
      page?.toggleAttribute('inert', true)
    })
    return () => {
      isOpen = false
      page?.removeAttribute('aria-hidden')
      page?.toggleAttribute('inert', false)
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true })
    }
  }, [])
}

/** The buttons at a dialog's end, the likeliest last. */
export function DialogButtons({ children }: { children: ReactNode }) {
  return <div className={styles.buttons}>{children}</div>
}
