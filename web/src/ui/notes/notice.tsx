import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './notice.module.css'

interface Props {
  icon: Icon
  hue?: 'plain' | 'amber' | 'red'
  /** The notice appears while the reader is busy elsewhere, so screen readers read it out. */
  live?: boolean
  children: ReactNode
}

export function Notice({ icon: Sign, hue = 'plain', live = false, children }: Props) {
  return (
    <p className={styles.notice} data-hue={hue} role={live ? 'status' : undefined}>
      <Sign size={18} aria-hidden />
      <span>{children}</span>
    </p>
  )
}
