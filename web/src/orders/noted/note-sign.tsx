import type { NotedOrder } from '@cellarhand/contract/notes'
import IconNote from '@tabler/icons-react/dist/esm/icons/IconNote.mjs'
import styles from './noted.module.css'

/** Beside the number of an order in a list. */
export function NoteSign({ order: { count, newest } }: { order: NotedOrder }) {
  const words = count === 1 ? '1 note' : `${count} notes`
  return (
    <span
      className={styles.sign}
      role="img"
      aria-label={words}
      title={`${words}. ${newest.author}: ${newest.text}`}
    >
      <IconNote size={14} aria-hidden />
    </span>
  )
}
