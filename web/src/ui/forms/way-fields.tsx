import type { Telling } from '@cellarhand/contract/watch'
import type { ReactNode } from 'react'
import { wayLabels } from './way-labels.ts'

interface Way {
  by: Telling['by']
  phone: string
}

interface Props {
  /** The name of the choice. */
  label: string
  fields: Way
  /** Nobody is chosen yet, so there is no phone to type. */
  isOff?: boolean
  /** 'tel' where the person types the own number. */
  autoComplete: 'tel' | 'off'
  hasProblem: boolean
  /** The id of the words that describe the phone. */
  describedBy: string | undefined
  className: string | undefined
  /** Beneath the phone. */
  children?: ReactNode
  onChange: (part: Partial<Way>) => void
}

/** By mail, or by text to a phone. */
export function WayFields({ label, fields, isOff = false, className, onChange, ...phone }: Props) {
  return (
    <>
      <label className={className}>
        {label}
        <select
          value={fields.by}
          disabled={isOff}
          onChange={({ currentTarget }) => onChange({ by: currentTarget.value as Way['by'] })}
        >
          {Object.entries(wayLabels).map(([way, words]) => (
            <option key={way} value={way}>
              {words}
            </option>
          ))}
        </select>
      </label>
      {fields.by === 'text' && !isOff && (
        <div>
          <label className={className}>
            Phone
            <input
              type="tel"
              autoComplete={phone.autoComplete}
              maxLength={32}
              value={fields.phone}
              aria-invalid={phone.hasProblem}
              aria-describedby={phone.describedBy}
              onChange={({ currentTarget }) => onChange({ phone: currentTarget.value })}
            />
          </label>
          {phone.children}
        </div>
      )}
    </>
  )
}
