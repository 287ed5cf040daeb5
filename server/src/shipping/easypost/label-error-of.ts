import { isPoBox, type LabelErrorCode } from '@cellarhand/contract/label-errors'
import { LabelRefused, type CarrierWords } from '../shipping-port.ts'

/** What EasyPost and the carrier behind it said went wrong, taken apart. */
export interface SaidWrong {
  readonly codes: readonly string[]
  /** Names of the fields that are blamed. */
  readonly fields: readonly string[]
  readonly words: readonly CarrierWords[]
}

interface Sign {
  readonly code: LabelErrorCode
  readonly codes?: RegExp
  readonly text?: RegExp
}

const ups = (...numbers: readonly string[]) => `\\b(?:${numbers.join('|')})\\b`
const either = (...parts: readonly string[]) => new RegExp(parts.join('|'), 'i')

/** From top to bottom, the first that fits wins: the carriers' wording overlaps. */
const signs: readonly Sign[] = [
  {
    code: 'user_locked_out',
    text: either(ups('250006', '250007'), 'locked out', 'maximum number of user access attempts'),
  },
  {
    code: 'account_unauthorized',
    codes:
      /^(UNAUTHORIZED|FORBIDDEN|MODE\.UNAUTHORIZED|USER\.UNAUTHORIZED|CARRIER_ACCOUNT\.INVALID|SHIPMENT\.RATE\.CARRIER_ACCOUNT_INVALID|APIKEY\..*)$/,
    text: either(
      ups('25000[1-59]', '250038', '250047', '112111', '120100', '120122', '120412'),
      'ACCOUNT\\.NUMBER\\.MISMATCH',
      'account not allowed for this service',
    ),
  },
  { code: 'po_box', text: /p\.?\s*o\.?\s*box|post office box/i },
  {
    code: 'missing_phone',
    text: either(ups('120109', '120115', '120209', '120213', '120309', '120313'), 'phone'),
  },
  {
    code: 'invalid_street',
    codes:
      /^(ADDRESS\.VERIFY\.(FAILURE|MISSING_STREET)|ADDRESS\.VERIFICATION\..*|E\.ADDRESS\.NOT_FOUND|E\.HOUSE_NUMBER\.MISSING)$/,
    text: either(
      ups('120102', '120202', '120302', '12080[123]'),
      'street ?lines?',
      'address line',
      'house number',
    ),
  },
  { code: 'rates_unavailable', codes: /^SHIPMENT\.RATES\.UNAVAILABLE$/ },
  {
    code: 'carrier_not_responding',
    codes: /^(SHIPMENT\.POSTAGE\.NO_RESPONSE|ADDRESS\.VERIFY\.(UPSTREAM_)?UNAVAILABLE|TIMEOUT|RATE_LIMITED)$/,
    text: either(ups('250052', '250053', '190001'), 'carrier (is )?not responding'),
  },
]

/** Undefined: only the carrier's own words say what it is. */
function labelErrorOf({ codes, fields, words }: SaidWrong): LabelErrorCode | undefined {
  const texts = words.map(({ message }) => message)
  const found = signs.find(
    (sign) =>
      codes.some((code) => sign.codes?.test(code) === true) ||
      [...texts, ...codes].some((text) => sign.text?.test(text) === true),
  )
  if (found !== undefined) return found.code
  if (fields.some((field) => /(^|\.)phone$/.test(field))) return 'missing_phone'
  return texts.some(isPoBox) ? 'po_box' : undefined
}

/** EasyPost's error body: `{"error":{"code","message","errors":[…]}}`, where a message may be text or a nest of it. */
export function readError(answer: unknown, carrier: string | null): SaidWrong {
  const error = fieldOf(answer, 'error')
  const details = fieldOf(error, 'errors')
  const all = Array.isArray(details) ? (details as unknown[]) : []
  const codes = [error, ...all]
    .map((part) => fieldOf(part, 'code'))
    .filter((code) => typeof code === 'string')
  const fields = all.map((part) => fieldOf(part, 'field')).filter((field) => typeof field === 'string')
  const messages = [fieldOf(error, 'message'), ...all.map((part) => fieldOf(part, 'message') ?? part)]
  const words = messages.flatMap(textsIn).map((message) => ({ message, carrier }))
  return { codes, fields, words }
}

/** A failure to rate is no HTTP error but a list beside the missing rates. */
export function readRateMessages(messages: unknown): SaidWrong {
  const all = Array.isArray(messages) ? (messages as unknown[]) : []
  const words = all.flatMap((part) => {
    const carrier = fieldOf(part, 'carrier')
    return textsIn(fieldOf(part, 'message')).map((message) => ({
      message,
      carrier: typeof carrier === 'string' ? carrier : null,
    }))
  })
  return { codes: [], fields: [], words }
}

/** The refusal that the clerk reads; `usual` is what an unknown one counts as. */
export function refusalOf(said: SaidWrong, usual?: LabelErrorCode): LabelRefused {
  return new LabelRefused(labelErrorOf(said) ?? usual, said.words)
}

export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)[name]
    : undefined
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value.trim()]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
