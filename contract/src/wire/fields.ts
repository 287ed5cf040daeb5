import { Type, type TProperties, type TSchema } from 'typebox'

/** An object that refuses fields it does not know. */
export function object<P extends TProperties>(properties: P) {
  return Type.Object(properties, { additionalProperties: false })
}

export function nullable<S extends TSchema>(schema: S) {
  return Type.Union([schema, Type.Null()])
}

/** A field of a request that may be null or left out. */
export function maybe<S extends TSchema>(schema: S) {
  return Type.Optional(nullable(schema))
}

/** A field of a reply that is ours, beside the specified ones: this server always sends it, one behind API_BASE may not. */
export function ours<S extends TSchema>(schema: S) {
  return Type.Optional(schema)
}

/** PostgreSQL text can hold neither NUL nor half a character (a lone surrogate), so no text field takes them. */
const unstorable = '\\u0000\\p{Surrogate}'

export function text(maxLength = 500) {
  return Type.String({ maxLength, pattern: `^[^${unstorable}]*$` })
}

/** Text that must hold something besides spaces. */
export function filledText(maxLength = 500) {
  const pattern = `^\\s*[^\\s${unstorable}][^${unstorable}]*$`
  return Type.String({ maxLength, minLength: 1, pattern })
}

/** A person's reason for the record: some character of it can be seen. */
export function reasonText(maxLength = 500) {
  const unseen = '\\s\\p{Cf}\\p{DI}\\u2800'
  const pattern = `^[${unseen}]*[^${unseen}${unstorable}][^${unstorable}]*$`
  return Type.String({ maxLength, minLength: 1, pattern })
}

/** Only http and https, so that a stored link can never run script. Empty counts as none. */
export function webAddress(maxLength = 2000) {
  return Type.String({
    maxLength,
    pattern: `^([hH][tT][tT][pP][sS]?://[^\\s/?#${unstorable}][^\\s${unstorable}]*)?$`,
    description: 'An address that starts with http:// or https://',
  })
}

/** The years that PostgreSQL, calendars and people agree about. */
const year = '(19|2\\d)\\d{2}'

/** ISO 8601 with a zone. */
export const Timestamp = Type.String({
  pattern: `^${year}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])T([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d{1,6})?)?(Z|[+-]([01]\\d|2[0-3]):[0-5]\\d)$`,
  description: 'ISO 8601 with a zone, e.g. 2026-11-20T18:12:00Z',
})
export const Day = Type.String({
  pattern: `^${year}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$`,
  description: 'YYYY-MM-DD',
})
export const TimeOfDay = Type.String({
  pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
  description: 'HH:MM, 24 hours',
})

/** US dollars with at most two decimals. */
export const Dollars = Type.Number({ minimum: 0, maximum: 10_000_000 })
export const Count = Type.Integer({ minimum: 0 })

export const MerchantKey = Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_-]+$' })
export const UserId = Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_-]+$' })
export const OrderId = Type.String({
  minLength: 1,
  maxLength: 18,
  pattern: '^[0-9]+$',
  description: 'Order number: digits',
})
/** Names one open page, to tell two pages of one person apart. */
export const ScreenId = Type.String({ minLength: 1, maxLength: 36, pattern: '^[A-Za-z0-9-]+$' })
export const Reference = Type.String({ minLength: 1, maxLength: 128, pattern: '^[!-~]+$' })

export const ofMerchant = object({ tmk: MerchantKey })
export const ofOrder = object({ id: OrderId })
export const ofMerchantOrder = object({ tmk: MerchantKey, id: OrderId })
export const ofUser = object({ id: UserId })

export const idempotencyKey = {
  'idempotency-key': 'Up to 128 visible characters. The same key and body answer the first reply again.',
}
export const Empty = object({})
