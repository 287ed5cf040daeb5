import { Type } from 'typebox'
import { Day, maybe, nullable, object, reasonText, text, Timestamp } from '../wire/fields.ts'
import { ageCheckMethods, idReadings, refusedHandOverReasons } from './door-checks.ts'

/** The dates of the ID, of which only this is kept. Somebody who only saw the ID leaves it out. */
export const IdReading = object({
  how: Type.Enum(idReadings),
  is_over_21: Type.Boolean(),
  is_expired: Type.Boolean(),
})
export type IdReading = Type.Static<typeof IdReading>

/** How the recipient's age was checked at the door; never an ID number or a birth date. Ours, beside the specified fields. */
export const AgeCheck = object({
  result: Type.Enum(['passed', 'refused', 'not_made']),
  reason: nullable(Type.Enum(refusedHandOverReasons)),
  method: nullable(Type.Enum(ageCheckMethods)),
  checked_by: Type.String(),
  checked_at: Timestamp,
  reading: Type.Optional(IdReading),
})
export type AgeCheck = Type.Static<typeof AgeCheck>

/**
 * Taken at the closing alone, and only what a rule in force makes the shop record of this order; the rest is dropped.
 * It is stored sealed, beside the order, and a rule says when it goes.
 */
const RecordedOfId = object({
  name: maybe(reasonText(200)),
  birth_date: maybe(Day),
  address: maybe(reasonText(300)),
})
export type RecordedOfId = Type.Static<typeof RecordedOfId>

/** The driver's report. If the checker or the time is left out, the server takes them from the delivery. */
export const NewAgeCheck = object({
  method: Type.Enum(ageCheckMethods),
  checked_by: maybe(text(200)),
  reading: maybe(IdReading),
  fields: maybe(RecordedOfId),
})
export type NewAgeCheck = Type.Static<typeof NewAgeCheck>
