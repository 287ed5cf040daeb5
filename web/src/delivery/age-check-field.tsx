import type { AgeCheckMethod } from '@cellarhand/contract/door-checks'
import { ageCheckMethodLabels, ageCheckMethods } from '@cellarhand/contract/door-checks'
import { useId } from 'react'
import styles from './deliver-dialog.module.css'

interface Props {
  title: string
  value: AgeCheckMethod | null
  onChange: (method: AgeCheckMethod | null) => void
  /** Beside the choices, so that the dialog's buttons cannot cover it. */
  problem?: string | undefined
}

/** One press names the ID; a second press removes it. Neither its number nor the birth date is stored. */
export function AgeCheckField({ title, value, onChange, problem }: Props) {
  const id = useId()
  return (
    <div role="group" aria-labelledby={id}>
      <p id={id} className={styles.groupTitle}>
        {title}
      </p>
      {problem && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
      <div className={styles.choices}>
        {ageCheckMethods.map((method) => (
          <button
            key={method}
            type="button"
            aria-pressed={value === method}
            onClick={() => onChange(value === method ? null : method)}
          >
            {ageCheckMethodLabels[method]}
          </button>
        ))}
      </div>
    </div>
  )
}
