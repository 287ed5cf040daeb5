import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './banner.module.css'

interface Props {
  label: string
  icon: Icon
  hue?: 'plain' | 'amber'
  /** Replaces the hue with colours that the merchant chose. */
  paint?: { background: string; color: string } | undefined
  children: ReactNode
}

/** A line across the page, under the header. */
export function Banner({ label, icon: Sign, hue = 'plain', paint, children }: Props) {
  return (
    <section className={styles.banner} aria-label={label} data-hue={hue} style={paint}>
      <Sign size={18} aria-hidden />
      <div className={styles.text}>{children}</div>
    </section>
  )
}
