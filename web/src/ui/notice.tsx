import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './notice.module.css'

interface Props {
  icon: Icon
  hue?: 'plain' | 'amber' | 'red'
  children: ReactNode
}

export function Notice({ icon: Sign, hue = 'plain', children }: Props) {
  return (
    <p className={styles.notice} data-hue={hue}>
      <Sign size={18} aria-hidden />
      <span>{children}</span>
    </p>
  )
}
