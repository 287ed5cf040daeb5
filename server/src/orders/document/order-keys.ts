import { usDigits } from '@cellarhand/contract/phone'
import type { Statements } from '#platform/db/database.ts'
import type { StoredOrder } from './stored-order.ts'

const shortest = 4

function plain(text: string): string {
  return text.replaceAll(/[^0-9A-Za-z]/g, '').toUpperCase()
}

function phoneKey(phone: string): string {
  return usDigits(phone) ?? phone.replaceAll(/\D/g, '')
}

/** A post code of nine digits is also found by its first five. */
function zipKeys(zip: string): string[] {
  return [plain(zip), ...(/^\d{5}-?\d{4}$/.test(zip) ? [zip.slice(0, 5)] : [])]
}

const directions = new Set('N S E W NE NW SE SW NORTH SOUTH EAST WEST'.split(' '))

/**
 * The number of the house and the first word of its street, and the first word that is no direction: all that a clerk
 * types of "120 West Broadway" may be "120 West" or "120 Broadway". None for a text that begins with no number.
 */
function streetKeys(text: string): string[] {
  const [house = '', ...words] = text
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toUpperCase()
    .split(/[^0-9A-Z]+/)
    .filter((word) => word !== '')
  if (!/^\d/.test(house)) return []
  const names = words.filter((word) => /[A-Z]/.test(word))
  const [first] = names
  const name = names.find((word) => !directions.has(word))
  return [first, name].flatMap((word) => (word === undefined ? [] : `${house} ${word}`))
}

/** By what an order is found beside its number, its names and its e-mail. */
function keysOf(order: StoredOrder): ReadonlySet<string> {
  const keys = [
    order.id.slice(-shortest),
    ...[order.recipient, order.customer].map((person) => phoneKey(person.phone_number ?? '')),
    ...zipKeys(order.recipient.zipcode),
    ...streetKeys(order.recipient.street_1),
    plain(order.tracking_id ?? ''),
    ...order.shipment_info.map((parcel) => plain(parcel.tracking_code)),
  ]
  return new Set(keys.filter((key) => key.length >= shortest))
}

/** The keys that somebody may mean who types this; none for a text that is no number of any kind. */
export function keysMeantBy(text: string): string[] {
  if (!/\d/.test(text)) return []
  // Of a text with letters only a whole phone number is meant: "Studio 1987" is a name, and no order that ends in 1987.
  const phone = /\p{L}/u.test(text) ? (usDigits(text) ?? '') : phoneKey(text)
  const keys = [plain(text), phone, ...zipKeys(text.trim()), ...streetKeys(text)]
  return [...new Set(keys)].filter((key) => key.length >= shortest)
}

/**
 * The last five or six digits of a number, which no key holds: the orders with the same last four are few enough to
 * compare each. Empty for any other text.
 */
export function longEndingMeantBy(text: string): string {
  const digits = text.trim()
  return /^\d{5,6}$/.test(digits) ? digits : ''
}

/** Writes what changed of an order's keys; most changes change none. */
export async function writeKeys(
  { query }: Statements,
  merchantId: string,
  { before, order }: { before?: StoredOrder; order: StoredOrder },
): Promise<void> {
  const [then, now] = [before === undefined ? new Set<string>() : keysOf(before), keysOf(order)]
  const added = [...now].filter((key) => !then.has(key))
  const gone = [...then].filter((key) => !now.has(key))
  if (added.length > 0)
    await query(
      `insert into order_keys (merchant_id, key, order_id) select $1, unnest($3::text[]), $2 on conflict do nothing`,
      [merchantId, order.id, added],
    )
  if (gone.length > 0)
    await query('delete from order_keys where merchant_id = $1 and order_id = $2 and key = any($3)', [
      merchantId,
      order.id,
      gone,
    ])
}
