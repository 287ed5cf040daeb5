import { messages } from '../words/messages.ts'

/** Why no label was bought, and the clerk's text for it, in the order of the specification's table (GAP-118). */
export const labelErrors = {
  general: messages.labelGeneral,
  carrier_not_responding: messages.labelNetwork,
  rates_failed: messages.labelNetwork,
  rates_unavailable: messages.labelNetwork,
  invalid_street: messages.labelInvalidStreet,
  po_box: messages.labelPoBox,
  missing_phone: messages.labelMissingPhone,
  account_unauthorized: messages.labelAccountUnauthorized,
  user_locked_out: messages.labelUserLockedOut,
} as const
export type LabelErrorCode = keyof typeof labelErrors

/** Another address or phone number helps. */
export const addressErrors: readonly LabelErrorCode[] = ['invalid_street', 'po_box', 'missing_phone']

export function isAboutAddress(code: unknown): boolean {
  return addressErrors.some((known) => known === code)
}

interface LabelFailure {
  readonly code?: unknown
  readonly errors?: unknown
}

/** The clerk's text for a failed purchase: by its code, else the carrier's own, else a general one (ERR-008 to ERR-016). */
export function labelErrorText({ code, errors }: LabelFailure): string {
  if (typeof code === 'string' && Object.hasOwn(labelErrors, code)) return labelErrors[code as LabelErrorCode]
  const [first] = (Array.isArray(errors) ? errors : []) as { message?: unknown; carrier?: unknown }[]
  if (typeof first?.message !== 'string' || first.message === '') return messages.labelGeneral
  return typeof first.carrier === 'string' && first.carrier !== ''
    ? `${first.carrier}: ${first.message}`
    : first.message
}

export const labelErrorsToApologize = 10
export const labelErrorWindowMs = 14_400_000

/** The last ten moments, the present one newest (ERR-018). */
export function noteLabelError(times: readonly number[], nowMs: number): number[] {
  return [...times, nowMs].slice(-labelErrorsToApologize)
}

/** Whether the last ten errors, with the present one, happened within four hours (ERR-017, GAP-119). */
export function isApologyDue(times: readonly number[], nowMs: number): boolean {
  return times.filter((at) => nowMs - at < labelErrorWindowMs).length >= labelErrorsToApologize
}

/** In the words of USPS Publication 28, with the usual typing errors, anywhere in a line; then its number or letter. */
const poBox =
  /(?:^| )(?:p ?[o0] ?b(?:o?x)?|(?:p ?[o0]|post(?:al)?(?: ?office)?) ?(?:box|bx|drawer)) ?(?:(?:no|nr|num|number) )?[a-z]{0,3} ?\d/
/** Only at the beginning: further on it is a box of a rural route, or one in a shop with a street of its own. */
const bareBox = /^box ?[a-z]{0,3}[-_]?\d/

/** A post-office box, to which no parcel carrier delivers, also behind a street; "12 Box Elder Rd" is none. */
export function isPoBox(street: string): boolean {
  const words = street
    .normalize('NFKC')
    .toLowerCase()
    // What nobody sees parts no words, and no sign joins them; a hyphen may belong to the number.
    .replaceAll(/\p{DI}|\p{Cf}/gu, '')
    .replaceAll(/[^\p{L}\p{N}_-]+/gu, ' ')
    .trim()
  return poBox.test(words.replaceAll(/[ _-]+/g, ' ')) || bareBox.test(words)
}
