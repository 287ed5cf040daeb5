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

/** Why an order was not handed over at the door. */
export const refusedHandOverReasons = ['under_21', 'no_valid_id', 'nobody_there', 'intoxicated'] as const
export type RefusedHandOverReason = (typeof refusedHandOverReasons)[number]
export const refusedHandOverLabels: Record<RefusedHandOverReason, string> = {
  under_21: 'Under 21',
  no_valid_id: 'No valid ID',
  nobody_there: 'Nobody there',
  intoxicated: 'Intoxicated',
}
