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

let openDialogs = 0
/** Who had the focus before the dialog that closed last; undefined once it has it again. */
let opener: Element | null | undefined

/**
 * The page is out of reach while a dialog is open, and gets its focus back. Both follow the paint of the dialog, or of
 * the page without it: all elements of the page are styled anew, which would hold up the answer to the press.
 */
function usePageBehind(): void {
  useLayoutEffect(() => {
    // A dialog that takes another one's place finds the focus nowhere.
    const before = document.activeElement === document.body ? opener : document.activeElement
    openDialogs++
    afterPaint(reachPage)
    return () => {
      openDialogs--
      opener = before
      if (openDialogs > 0) return giveFocusBack()
      afterPaint(reachPage)
      // The next key is meant for the page, however soon it comes.
      addEventListener('keydown', reachPage, { capture: true, once: true })
    }
  }, [])
}

function reachPage(): void {
  removeEventListener('keydown', reachPage, { capture: true })
  const page = document.getElementById('root')
  const isBehind = openDialogs > 0
  page?.toggleAttribute('inert', isBehind)
  if (isBehind) return void page?.setAttribute('aria-hidden', 'true')
  page?.removeAttribute('aria-hidden')
  // By now somebody may have gone on from elsewhere.
  if (document.activeElement === document.body) giveFocusBack()
}

function giveFocusBack(): void {
  if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true })
  opener = undefined
}

/** The buttons at a dialog's end, the likeliest last. */
export function DialogButtons({ children }: { children: ReactNode }) {
  return <div className={styles.buttons}>{children}</div>
}
