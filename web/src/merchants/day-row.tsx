import type { Weekday } from '@cellarhand/contract/merchants'
import { useId } from 'react'
import { Button } from '#ui/blocks/button.tsx'
import { Toggle } from '#ui/forms/toggle.tsx'
import styles from './delivery-hours.module.css'
import type { ClockFields, DayFields, DayProblem } from './hours-form.ts'
import { allDay, toClock } from './hours-form.ts'

interface Props {
  weekday: Weekday
  day: DayFields
  problem: DayProblem | undefined
  onChange: (part: Partial<DayFields>) => void
  onCopy: () => void
}

export function dayName(weekday: Weekday): string {
  return `${weekday.charAt(0).toUpperCase()}${weekday.slice(1)}`
}

export function DayRow({ weekday, day, problem, onChange, onCopy }: Props) {
  const id = useId()
  const name = dayName(weekday)
  const clock = (part: 'opens' | 'closes', wire: string) => (
    <Clock
      label={part === 'opens' ? 'Opens' : 'Closes'}
      value={day.isAllDay ? toClock(wire) : day[part]}
      isDisabled={day.isAllDay}
      problemAt={problem?.field.startsWith(part) ? problem.field.slice(part.length + 1) : undefined}
      describedBy={problem ? `${id}-problem` : undefined}
      onChange={(time) => onChange({ [part]: time })}
    />
  )
  return (
    <fieldset className={styles.day}>
      <legend>{name}</legend>
      <Toggle label="Open" isOn={day.isOpen} onChange={(isOpen) => onChange({ isOpen })} />
      {day.isOpen ? (
        <>
          {clock('opens', allDay.time_open)}
          {clock('closes', allDay.time_close)}
          <Toggle label="24 hours" isOn={day.isAllDay} onChange={(isAllDay) => onChange({ isAllDay })} />
        </>
      ) : (
        <span className={styles.closed}>Closed</span>
      )}
      <Button look="plain" size="small" aria-label={`Copy to all days: ${name}`} onClick={onCopy}>
        Copy to all days
      </Button>
      {problem && (
        <p className={styles.problem} id={`${id}-problem`}>
          {problem.text}
        </p>
      )}
    </fieldset>
  )
}

interface ClockProps {
  label: string
  value: ClockFields
  isDisabled: boolean
  problemAt: string | undefined
  describedBy: string | undefined
  onChange: (time: ClockFields) => void
}

function Clock({ label, value, isDisabled, problemAt, describedBy, onChange }: ClockProps) {
  const field = (part: 'hour' | 'minute') => ({
    'aria-label': `${label}, ${part}`,
    'aria-invalid': problemAt === part,
    'aria-describedby': problemAt === part ? describedBy : undefined,
    inputMode: 'numeric' as const,
    maxLength: 2,
    disabled: isDisabled,
    value: value[part],
    onChange: (event: { currentTarget: HTMLInputElement }) =>
      onChange({ ...value, [part]: event.currentTarget.value }),
  })
  return (
    <span className={styles.clock}>
      <span aria-hidden>{label}</span>
      <input {...field('hour')} />
      <span aria-hidden>:</span>
      <input {...field('minute')} placeholder="00" />
      <select
        aria-label={`${label}, AM or PM`}
        disabled={isDisabled}
        value={value.half}
        onChange={({ currentTarget }) => onChange({ ...value, half: currentTarget.value as 'AM' | 'PM' })}
      >
        <option>AM</option>
        <option>PM</option>
      </select>
    </span>
  )
}
