import { Type } from 'typebox'
import { maybe, nullable, object, text, Timestamp } from '../wire/fields.ts'
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

/** The driver's report. If the checker or the time is left out, the server takes them from the delivery. */
export const NewAgeCheck = object({
  method: Type.Enum(ageCheckMethods),
  checked_by: maybe(text(200)),
  reading: maybe(IdReading),
})
export type NewAgeCheck = Type.Static<typeof NewAgeCheck>
