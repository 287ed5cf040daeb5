import type { ReactNode } from 'react'
import IconUser from '@tabler/icons-react/dist/esm/icons/IconUser.mjs'
import { useWhoIsOnIt } from './presence.ts'
import styles from './who-is-on-it.module.css'

interface Props {
  orderId: string
  /** What stands here while nobody is on it. */
  children?: ReactNode
}

/** "{name} is on it", gently: nobody is kept out. */
export function WhoIsOnIt({ orderId, children = null }: Props) {
  const words = useWhoIsOnIt(orderId)
  if (!words) return children
  return (
    <span className={styles.who} title={words}>
      <IconUser size={12} stroke={2.25} aria-hidden />
      <span>{words}</span>
    </span>
  )
}
