import type { ReactNode } from 'react'
import IconUser from '@tabler/icons-react/dist/esm/icons/IconUser.mjs'
import type { Order } from '@cellarhand/contract/orders'
import { isMine } from '../state/list-view.ts'
import { useWhoIsOnIt } from './presence.ts'
import styles from './who-is-on-it.module.css'

interface Props {
  order: Order
  /** Stands here while nobody is on it, and after the name of the clerk who has it. */
  children?: ReactNode
}

/** "{name} is on it", else "{name} has it", gently: nobody is kept out. */
export function WhoIsOnIt({ order, children = null }: Props) {
  const onIt = useWhoIsOnIt(order.id)
  const { taken } = order
  const words = onIt || (taken && (isMine(order) ? 'You have it' : `${taken.name} has it`))
  if (!words) return children
  return (
    <span className={styles.who} title={words}>
      <IconUser size={12} stroke={2.25} aria-hidden />
      <span>{words}</span>
      {!onIt && children}
    </span>
  )
}
