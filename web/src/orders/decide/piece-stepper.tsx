import IconMinus from '@tabler/icons-react/dist/esm/icons/IconMinus.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useId } from 'react'
import styles from './piece-stepper.module.css'

interface Props {
  label: string
  /** Beside the number: "of 6". */
  after: string
  value: number
  /** The least is 0. */
  max: number
  onChange: (value: number) => void
}

/** A small number by buttons, arrow keys or typing. */
export function PieceStepper({ label, after, value, max, onChange }: Props) {
  const [id, afterId] = [useId(), useId()]
  const set = (next: number): void => onChange(Math.min(Math.max(next, 0), max))
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <div className={styles.row}>
        <button
          type="button"
          className={styles.step}
          aria-label="One less"
          aria-controls={id}
          disabled={value <= 0}
          onClick={() => set(value - 1)}
        >
          <IconMinus size={18} aria-hidden />
        </button>
        <input
          id={id}
          className={styles.number}
          inputMode="numeric"
          role="spinbutton"
          aria-valuenow={value}
          aria-valuemin={0}
          aria-valuemax={max}
          aria-describedby={afterId}
          autoComplete="off"
          value={value}
          onFocus={(event) => event.currentTarget.select()}
          onChange={(event) => set(Number(event.currentTarget.value.replaceAll(/\D/g, '').slice(-5)))}
          onKeyDown={(event) => {
            const by = { ArrowUp: 1, ArrowDown: -1 }[event.key]
            if (by === undefined) return
            event.preventDefault()
            set(value + by)
          }}
        />
        <button
          type="button"
          className={styles.step}
          aria-label="One more"
          aria-controls={id}
          disabled={value >= max}
          onClick={() => set(value + 1)}
        >
          <IconPlus size={18} aria-hidden />
        </button>
        <span id={afterId} className={styles.after}>
          {after}
        </span>
      </div>
    </div>
  )
}
