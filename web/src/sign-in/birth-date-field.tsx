import { NativeSelect } from '@mantine/core'
import { useId } from 'react'
import { birthDays, birthYears, type BirthDateParts, partsOf, toDay } from './birth-date.ts'
import styles from './two-step/account-card.module.css'

const monthName = new Intl.DateTimeFormat('en-US', { month: 'long', timeZone: 'UTC' })
const months = Array.from({ length: 12 }, (_, index) => ({
  value: String(index + 1).padStart(2, '0'),
  label: monthName.format(Date.UTC(2000, index, 1)),
}))
const years = birthYears(new Date().getFullYear())

interface Props {
  /** YYYY-MM-DD, with gaps while a part is missing. */
  value: string
  problem: string | undefined
  onChange: (value: string) => void
}

export function BirthDateField({ value, problem, onChange }: Props) {
  const problemId = useId()
  const parts = partsOf(value)
  const days = birthDays(parts.month, parts.year)
  const choose = (part: Partial<BirthDateParts>): void => {
    const next = { ...parts, ...part }
    // A shorter month clears the 31st, because the form never chooses another day by itself.
    const isOffered = birthDays(next.month, next.year).includes(next.day)
    onChange(toDay(isOffered ? next : { ...next, day: '' }))
  }
  const shared = {
    size: 'md',
    error: problem !== undefined,
    // One message covers all three selects, so each needs its own link to it.
    withAria: false,
    'aria-invalid': problem !== undefined,
    'aria-describedby': problem === undefined ? undefined : problemId,
  } as const
  return (
    <fieldset className={styles.group}>
      <legend>Birth date</legend>
      <div className={styles.date}>
        <NativeSelect
          {...shared}
          aria-label="Month of birth"
          autoComplete="bday-month"
          data={[{ value: '', label: 'Month' }, ...months]}
          value={parts.month}
          onChange={(event) => choose({ month: event.currentTarget.value })}
        />
        <NativeSelect
          {...shared}
          aria-label="Day of birth"
          autoComplete="bday-day"
          data={[
            { value: '', label: 'Day' },
            ...days.map((day) => ({ value: day, label: String(Number(day)) })),
          ]}
          value={parts.day}
          onChange={(event) => choose({ day: event.currentTarget.value })}
        />
        <NativeSelect
          {...shared}
          aria-label="Year of birth"
          autoComplete="bday-year"
          data={[{ value: '', label: 'Year' }, ...years]}
          value={parts.year}
          onChange={(event) => choose({ year: event.currentTarget.value })}
        />
      </div>
      {problem !== undefined && (
        <p className={styles.fieldProblem} id={problemId}>
          {problem}
        </p>
      )}
    </fieldset>
  )
}
