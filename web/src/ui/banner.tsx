import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './banner.module.css'

interface Props {
  label: string
  icon: Icon
  hue?: 'plain' | 'amber'
  /** A colour of somebody else's choice: it marks the edge and carries no text. */
  edge?: string | undefined
  children: ReactNode
}

/** A line across the page, under the header. */
export function Banner({ label, icon: Sign, hue = 'plain', edge, children }: Props) {
  return (
    <section
      className={styles.banner}
      aria-label={label}
      data-hue={hue}
      style={edge === undefined ? undefined : { borderLeftColor: edge }}
    >
      <Sign size={18} aria-hidden />
      <div className={styles.text}>{children}</div>
    </section>
  )
}
