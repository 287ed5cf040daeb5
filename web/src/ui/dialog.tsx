import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
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
  return (
    <MantineRoot>
      <Modal
        opened
        onClose={onClose}
        title={title}
        size={size}
        centered
        lockScroll={false}
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

/** The buttons at a dialog's end, the likeliest last. */
export function DialogButtons({ children }: { children: ReactNode }) {
  return <div className={styles.buttons}>{children}</div>
}
