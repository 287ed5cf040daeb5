import type { LabelErrorCode } from './label-errors.ts'

/** What helps, so that the next clerk does not run into the same. */
const fixes: Readonly<Record<LabelErrorCode, string>> = {
  general: 'Try again in a few minutes.',
  carrier_not_responding: 'Try again in a few minutes.',
  rates_failed: 'Try again in a few minutes.',
  rates_unavailable: 'Check address and weight, or enter a tracking number by hand.',
  invalid_street: 'Correct the address, then buy the label.',
  po_box: 'Ask the customer for a street address and correct it.',
  missing_phone: 'Correct the phone number of the address, then buy the label.',
  account_unauthorized: 'Connect the carrier account under Settings, or enter a tracking number by hand.',
  user_locked_out: 'Sign in at the carrier and unlock the account.',
}

/** Undefined where only the carrier's own words say it. */
export function labelFixOf(code: unknown): string | undefined {
  return typeof code === 'string' && Object.hasOwn(fixes, code) ? fixes[code as LabelErrorCode] : undefined
}
