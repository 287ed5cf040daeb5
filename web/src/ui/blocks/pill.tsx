import type { Icon } from '@tabler/icons-react'
import styles from './pill.module.css'

export type Hue = 'blue' | 'indigo' | 'teal' | 'violet' | 'sage' | 'red' | 'amber' | 'green'

interface Props {
  hue: Hue
  icon: Icon
  children: string
  title?: string | undefined
}

/** A state in one word or a few, with an icon: colour alone never carries the meaning. */
export function Pill({ hue, icon: Sign, children, title }: Props) {
  return (
    <span className={styles.pill} data-hue={hue} title={title}>
      <Sign size={14} stroke={2.25} aria-hidden />
      {children}
    </span>
  )
}
