import { carriers } from '../shipping/carriers.ts'
import { messages } from '../words/messages.ts'
import { toCents } from './money.ts'
import { isValidUsPhone } from './phone.ts'

/** A rule checks one field's text and returns the message to show, if any. */
export type Rule = (value: string) => string | undefined

const emailPattern =
  /^[^\s@"<>(),:;\\[\]]+@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/i
const maxEmailLength = 254
export const minPasswordLength = 10
export const maxPasswordLength = 256
export const trackingNumberMaxLength = 30
export const maxCommentLength = 500

export function required(field: string): Rule {
  return (value) => (value.trim() === '' ? messages.requiredField(field) : undefined)
}

/** An empty e-mail passes the pattern (VALID-003); `required` catches it where it must not be empty. */
export const email: Rule = (value) =>
  value === '' || (value.length <= maxEmailLength && emailPattern.test(value))
    ? undefined
    : messages.invalidEmail

export const password: Rule = (value) =>
  [...value].length < minPasswordLength ? messages.shortPassword : undefined

export const phone: Rule = (value) =>
  value === '' || isValidUsPhone(value) ? undefined : messages.invalidPhone

export const zip: Rule = (value) => (/^\d{5}(-\d{4})?$/.test(value) ? undefined : messages.invalidZip)

/** Takes YYYY-MM-DD. The real-date check runs first (GAP-181), then "more than one day in the past". */
export function birthDate(nowMs: number): Rule {
  return (value) => {
    const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value)
    const time = match ? Date.parse(`${value}T00:00:00Z`) : Number.NaN
    if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== value)
      return messages.birthDateNotReal
    return time > nowMs - 86_400_000 ? messages.birthDateTooRecent : undefined
  }
}

/** The first message of the rules, in their order. */
export function firstProblem(value: string, rules: readonly Rule[]): string | undefined {
  for (const rule of rules) {
    const problem = rule(value)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** A reject for the reason "other" needs a text (ACT-007). */
export function rejectReasonProblem(code: string, text: string): string | undefined {
  if (code !== 'other') return undefined
  if (text.trim() === '') return messages.rejectReasonRequired
  return commentProblem(text)
}

export function commentProblem(text: string): string | undefined {
  return text.length > maxCommentLength ? `Please use at most ${maxCommentLength} characters` : undefined
}

const highestPrice = 1_000_000

/** The right price of a line, in dollars (T07), in whole cents. */
export function priceProblem(price: unknown): string | undefined {
  const cents = typeof price === 'number' ? toCents(price) : 0
  if (cents <= 0 || Number.isNaN(cents)) return 'Please enter a price above 0'
  return cents > highestPrice * 100 ? 'Please enter a price of at most 1,000,000' : undefined
}

/** The text after the $ (ACT-017), such as "12", "12.50" or "1,200.00"; undefined when it is no number. */
export function readPrice(text: string): number | undefined {
  const typed = text.trim().replace(/^\$\s*/, '')
  if (!/^(\d+|\d{1,3}(,\d{3})+)?(\.\d{0,2})?$/.test(typed) || !/\d/.test(typed)) return undefined
  return Number(typed.replaceAll(',', ''))
}

export interface TrackingFields {
  readonly tracking_provider: string
  readonly tracking_id: string
  readonly tracking_url?: string | null | undefined
  readonly other_tracking_provider?: string | null | undefined
}

/** Field to message; empty when the tracking can be saved (SHIP-015 to SHIP-019, GAP-61). */
export function trackingProblems(fields: TrackingFields): Record<string, string> {
  const problems: Record<string, string> = {}
  const code = fields.tracking_id.replaceAll(/\s/g, '')
  if (!(carriers as readonly string[]).includes(fields.tracking_provider))
    problems['tracking_provider'] = messages.trackingFieldsRequired
  if (code === '') problems['tracking_id'] = messages.trackingFieldsRequired
  if (code.length > trackingNumberMaxLength)
    problems['tracking_id'] = `A tracking number has at most ${trackingNumberMaxLength} characters`
  if (fields.tracking_provider !== 'OTHER') return problems
  if (!fields.other_tracking_provider?.trim())
    problems['other_tracking_provider'] = messages.trackingFieldsRequired
  if (!fields.tracking_url?.trim()) problems['tracking_url'] = messages.trackingFieldsRequired
  else if (!isWebAddress(fields.tracking_url.trim()))
    problems['tracking_url'] = 'Please enter an address that starts with http:// or https://'
  return problems
}

/** Accepts only http and https, so that a stored link can never run script. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s/?#]\S*$/i.test(text)
}
