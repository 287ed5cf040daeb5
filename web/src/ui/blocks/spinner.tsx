import styles from './spinner.module.css'
import { WaitingWords } from './waiting-words.tsx'

export function Spinner({ label }: { label: string }) {
  return (
    <span className={styles.place}>
      <span className={styles.spinner} />
      <WaitingWords isQuiet>{label}</WaitingWords>
    </span>
  )
}
