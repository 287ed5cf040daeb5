import type { Icon } from '@tabler/icons-react'
import styles from './pill.module.css'

export type Hue = 'blue' | 'indigo' | 'teal' | 'violet' | 'sage' | 'red' | 'amber' | 'green'

interface Props {
  hue: Hue
  icon: Icon
  children: string
  title?: string | undefined
  /** How a time left looks: late is filled, soon due outlined, and what can wait is plain text. */
  due?: string
}

/** A state in one word or a few, with an icon: colour alone never carries the meaning. */
export function Pill({ hue, icon: Sign, children, title, due }: Props) {
  return (
    <span className={styles.pill} data-hue={hue} data-due={due} title={title}>
      <Sign size={14} stroke={2.25} aria-hidden />
      {children}
    </span>
  )
}
