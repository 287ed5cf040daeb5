import { isPoBox, type LabelErrorCode } from '@cellarhand/contract/label-errors'
import { plainWords } from '#platform/outside/plain-words.ts'
import { LabelRefused, type CarrierWords } from '../../port/shipping-port.ts'

/** The parts of an error of EasyPost or of the carrier behind it. */
export interface SaidWrong {
  readonly codes: readonly string[]
  /** The names of the fields at fault. */
  readonly fields: readonly string[]
  readonly words: readonly CarrierWords[]
}

interface Sign {
  readonly code: LabelErrorCode
  /** A code that ends in a dot matches all that begin with it. */
  readonly codes?: readonly string[]
  /** The numbers are those of UPS. */
  readonly texts?: readonly RegExp[]
}

/** Checked from top to bottom; the first match wins, because the carriers' wordings overlap. */
const signs: readonly Sign[] = [
  {
    code: 'user_locked_out',
    texts: [/\b25000[67]\b/, /locked out/i, /maximum number of user access attempts/i],
  },
  {
    code: 'account_unauthorized',
    codes: [
      'UNAUTHORIZED',
      'FORBIDDEN',
      'MODE.UNAUTHORIZED',
      'USER.UNAUTHORIZED',
      'CARRIER_ACCOUNT.INVALID',
      'SHIPMENT.RATE.CARRIER_ACCOUNT_INVALID',
      'APIKEY.',
    ],
    texts: [
      /\b(?:25000[1-59]|250038|250047|112111|120100|120122|120412)\b/,
      /ACCOUNT\.NUMBER\.MISMATCH/i,
      /account not allowed for this service/i,
    ],
  },
  { code: 'po_box', texts: [/p\.?\s*o\.?\s*box/i, /post office box/i] },
  {
    code: 'missing_phone',
    texts: [/\b(?:120109|120115|120209|120213|120309|120313)\b/, /phone/i],
  },
  {
    code: 'invalid_street',
    codes: [
      'ADDRESS.VERIFY.FAILURE',
      'ADDRESS.VERIFY.MISSING_STREET',
      'ADDRESS.VERIFICATION.',
      'E.ADDRESS.NOT_FOUND',
      'E.HOUSE_NUMBER.MISSING',
    ],
    texts: [/\b(?:120102|120202|120302|12080[123])\b/, /street ?lines?/i, /address line/i, /house number/i],
  },
  { code: 'rates_unavailable', codes: ['SHIPMENT.RATES.UNAVAILABLE'] },
  {
    code: 'carrier_not_responding',
    codes: [
      'SHIPMENT.POSTAGE.NO_RESPONSE',
      'ADDRESS.VERIFY.UNAVAILABLE',
      'ADDRESS.VERIFY.UPSTREAM_UNAVAILABLE',
      'TIMEOUT',
      'RATE_LIMITED',
    ],
    texts: [/\b(?:250052|250053|190001)\b/, /carrier (is )?not responding/i],
  },
]

function isAmong(known: readonly string[], code: string): boolean {
  return known.some((each) => (each.endsWith('.') ? code.startsWith(each) : code === each))
}

/** Undefined if only the carrier's own words give the reason. */
function labelErrorOf({ codes, fields, words }: SaidWrong): LabelErrorCode | undefined {
  const texts = words.map(({ message }) => message)
  const found = signs.find(
    (sign) =>
      codes.some((code) => isAmong(sign.codes ?? [], code)) ||
      [...texts, ...codes].some((text) => sign.texts?.some((pattern) => pattern.test(text))),
  )
  if (found !== undefined) return found.code
  if (fields.some((field) => /(^|\.)phone$/.test(field))) return 'missing_phone'
  return texts.some(isPoBox) ? 'po_box' : undefined
}

/** EasyPost's error body: `{"error":{"code","message","errors":[…]}}`, in which a message may be text or nested. */
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

/** A failed rate is no HTTP error but a list beside the missing rates. */
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

/** A clerk reads these in one look, and the history keeps them. */
const most = { letters: 400, texts: 10 }

/** The refusal for the clerk; `usual` is the code for an unknown error. */
export function refusalOf(said: SaidWrong, usual?: LabelErrorCode): LabelRefused {
  const kept = said.words.slice(0, most.texts).map(({ message, carrier }) => ({
    message: plainWords(message, most.letters),
    carrier: carrier && plainWords(carrier, most.letters),
  }))
  // Of all its words: the one that counts may be the last.
  return new LabelRefused(labelErrorOf(said) ?? usual, kept)
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
