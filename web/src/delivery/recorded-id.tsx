import type { RecordedOfId } from '@cellarhand/contract/age-check-fields'
import type { RecordedField } from '@cellarhand/contract/door-checks'
import { recordedFieldLabels, recordedFields } from '@cellarhand/contract/door-checks'
import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useState } from 'react'
import styles from './deliver-dialog.module.css'

interface Asking {
  readonly record?: readonly RecordedField[]
}

interface RecordedId {
  /** Whether everything is there that the rules of the order ask to record. */
  readonly isWhole: boolean
  /** The typed fields; undefined if nothing was typed. */
  readonly typed: RecordedOfId | undefined
  /** Marks the fields that are empty. */
  readonly demand: () => void
  readonly part: ReactNode
}

const inputs = {
  name: { maxLength: 200 },
  birth_date: { type: 'date' },
  address: { maxLength: 300 },
} as const

/** The fields of the ID that the rules of an order make the driver record; without such a rule there is none. */
export function useRecordedId(must: readonly Asking[] = []): RecordedId {
  const [fields, setFields] = useState<Partial<Record<RecordedField, string>>>({})
  const [isDemanded, setDemanded] = useState(false)
  const names = recordedFields.filter((name) => must.some(({ record }) => record?.includes(name)))
  const typed = names.flatMap((name) => {
    const text = fields[name]?.trim()
    return text ? [[name, text] as const] : []
  })
  return {
    isWhole: typed.length === names.length,
    typed: typed.length === 0 ? undefined : Object.fromEntries(typed),
    demand: () => setDemanded(true),
    part: names.length > 0 && (
      <div className={styles.form} role="group" aria-label="A rule asks to record">
        <p className={styles.recordNote}>
          A rule asks to record this. It is stored sealed, and rules say when it goes.
        </p>
        {names.map((name) => (
          <TextInput
            key={name}
            {...inputs[name]}
            label={recordedFieldLabels[name]}
            autoComplete="off"
            value={fields[name] ?? ''}
            error={isDemanded && !fields[name]?.trim() && 'Please fill this in'}
            onChange={(event) => setFields({ ...fields, [name]: event.currentTarget.value })}
          />
        ))}
      </div>
    ),
  }
}
