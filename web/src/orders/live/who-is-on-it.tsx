import IconUser from '@tabler/icons-react/dist/esm/icons/IconUser.mjs'
import { useWhoIsOnIt } from './presence.ts'
import styles from './who-is-on-it.module.css'

/** "{name} is on it". A hint: it locks nobody out. */
export function WhoIsOnIt({ orderId }: { orderId: string }) {
  const words = useWhoIsOnIt(orderId)
  if (!words) return null
  return (
    <span className={styles.who} title={words}>
      <IconUser size={12} stroke={2.25} aria-hidden />
      <span>{words}</span>
    </span>
  )
}
