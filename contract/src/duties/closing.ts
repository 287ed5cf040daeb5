import { isCheckedAs } from '../delivery/age-check.ts'
import type { AgeCheck, RecordedOfId } from '../delivery/age-check-fields.ts'
import type { Closing, Duty } from './duties.ts'

interface AtTheDoor {
  /** The shop's setting. */
  readonly closing: Closing
  readonly check: Pick<AgeCheck, 'result' | 'reading'> | null | undefined
  /** What the driver typed of the ID. */
  readonly fields: RecordedOfId | null | undefined
}

interface ClosingAnswer {
  /** Every rule about an ID check. */
  readonly wanted: readonly Duty[]
  /** The rules whose ID check is not on record as they ask for it. */
  readonly unchecked: readonly Duty[]
  /** These, and the rules that make the shop record more of the ID than the driver typed. */
  readonly lacking: readonly Duty[]
  /** Otherwise the order is closed, and `lacking` is recorded as missing. */
  readonly isRefused: boolean
}

/** What the rules' duties at the door make of a client's closing of a local order. */
export function answerClosing(must: readonly Duty[], { closing, check, fields }: AtTheDoor): ClosingAnswer {
  const wanted = must.filter(({ kind }) => kind === 'age_check')
  const unchecked = wanted.filter((duty) => !isCheckedAs(duty, check))
  const lacking = wanted.filter((duty) => unchecked.includes(duty) || !isRecorded(duty, fields))
  return { wanted, unchecked, lacking, isRefused: closing === 'enforced' && lacking.length > 0 }
}

function isRecorded({ record = [] }: Duty, fields: AtTheDoor['fields']): boolean {
  return record.every((name) => Boolean(fields?.[name]))
}
