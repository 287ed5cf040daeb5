/** The document that the driver looked at to check the recipient's age; never its number, never a birth date. */
export const ageCheckMethods = ['driver_license', 'state_id', 'passport', 'military_id', 'other_id'] as const
export type AgeCheckMethod = (typeof ageCheckMethods)[number]
export const ageCheckMethodLabels: Record<AgeCheckMethod, string> = {
  driver_license: "Driver's license",
  state_id: 'State ID',
  passport: 'Passport',
  military_id: 'Military ID',
  other_id: 'Other ID',
}

/** What a rule may make the driver record of an ID. Everything else of it is never stored. */
export const recordedFields = ['name', 'birth_date', 'address'] as const
export type RecordedField = (typeof recordedFields)[number]
export const recordedFieldLabels: Record<RecordedField, string> = {
  name: 'Name on the ID',
  birth_date: 'Birth date',
  address: 'Address on the ID',
}

/** How the dates of the ID were read: its barcode was scanned, or a person typed them. */
export const idReadings = ['scanned', 'typed'] as const

/** Why an order was not handed over at the door. */
export const refusedHandOverReasons = ['under_21', 'no_valid_id', 'nobody_there', 'intoxicated'] as const
export type RefusedHandOverReason = (typeof refusedHandOverReasons)[number]
export const refusedHandOverLabels: Record<RefusedHandOverReason, string> = {
  under_21: 'Under 21',
  no_valid_id: 'No valid ID',
  nobody_there: 'Nobody there',
  intoxicated: 'Intoxicated',
}

/** What happened at the door, such as "Not handed over: no valid ID". */
export function notHandedOver(reason: RefusedHandOverReason): string {
  return `Not handed over: ${refusedHandOverLabels[reason].toLowerCase().replace(' id', ' ID')}`
}

/** In dollars, by the terms (TERMS-006). */
export const restockingFee = 20

interface Refused {
  readonly age_check?: { readonly reason: RefusedHandOverReason | null } | null | undefined
}

/** The order ends without a hand-over because of the ID or the age: the terms then set a restocking fee. */
export function owesRestocking({ age_check: check }: Refused): boolean {
  return check?.reason === 'under_21' || check?.reason === 'no_valid_id'
}
