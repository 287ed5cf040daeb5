import { isOver21 } from '@cellarhand/contract/over-21'

/**
 * The text in the PDF417 barcode on the back of a licence or ID card of a US state or a Canadian province, by the
 * AAMVA standard, versions 1 to 10. Only the kind of the card, two dates and an answer about the name leave this file,
 * and never the browser.
 */
export interface Licence {
  readonly kind: 'driver_license' | 'state_id'
  /** YYYY-MM-DD */
  readonly born: string
  /** YYYY-MM-DD */
  readonly expires: string
}

/** Why a text is no licence. The rest of an `incomplete` one may still come. */
export type Problem = 'incomplete' | 'no_licence' | 'unknown_version' | 'contradictory'

/** What the desk keeps of a licence. */
export interface Verdict {
  readonly is_over_21: boolean
  readonly is_expired: boolean
}

/** A keyboard has no record separator: hand scanners type the other half of its shortcut, such as the 6 of Ctrl+6. */
const header = /@[^@A]{1,6}(?:ANSI |AAMVA)(?:636|604)\d{3}(\d\d)/gu
/** A text of this length has its whole header. */
const headerLength = 25
const kinds: Record<string, Licence['kind']> = { DL: 'driver_license', EN: 'driver_license', ID: 'state_id' }

/** `today` is the shop's day, YYYY-MM-DD. */
export function readLicence(text: string, today: string): Licence | Problem {
  const found = partsOf(text)
  return typeof found === 'string' ? found : licenceOf(found.parts, { version: found.version, today })
}

/**
 * Whether the card has this family name. Only the answer leaves this file. Case, accents and signs do not count, since
 * cards are in capitals and often without them. On a card that says that its name is cut, a beginning is enough.
 */
export function hasFamilyName(text: string, name: string): boolean {
  const found = partsOf(text)
  if (typeof found === 'string') return false
  const valuesOf = (id: string) =>
    found.parts.elements.filter((each) => each.id === id).map(({ value }) => value)
  // Version 1 has DAB, or the whole name in DAA with the family name first.
  const names = [...valuesOf('DCS'), ...valuesOf('DAB')]
  const all = names.length > 0 ? names : valuesOf('DAA').map((whole) => whole.split(',')[0] ?? '')
  const [onCard, asked] = [lettersOf(all[0] ?? ''), lettersOf(name)]
  if (onCard === '' || asked === '' || all.some((each) => lettersOf(each) !== onCard)) return false
  const isCut = valuesOf('DDE').includes('T')
  return onCard === asked || (isCut && (onCard.startsWith(asked) || asked.startsWith(onCard)))
}

function lettersOf(name: string): string {
  return name
    .normalize('NFD')
    .replaceAll(/[^\p{L}]/gu, '')
    .toUpperCase()
}

function partsOf(text: string): { parts: Parts; version: number } | Problem {
  // A scan that broke off may come before a whole one.
  const found = [...text.matchAll(header)].at(-1)
  const at = text.lastIndexOf('@')
  if (!found) return at >= 0 && text.length - at < headerLength ? 'incomplete' : 'no_licence'
  const last = text.slice(found.index)
  const version = Number(found[1])
  if (version < 1 || version > 10) return 'unknown_version'
  const parts = readParts(last.slice(found[0].length + (version === 1 ? 0 : 2)))
  return typeof parts === 'string' ? parts : { parts, version }
}

interface Parts {
  readonly kind: Licence['kind']
  readonly elements: readonly { readonly id: string; readonly value: string }[]
}

/**
 * The card's own part. A hand scanner may change or double control characters, so positions do not count, but lengths
 * do: a text that is shorter than it says is broken off.
 */
function readParts(text: string): Parts | Problem {
  const count = Number(/^\d\d/.exec(text)?.[0])
  if (!(count >= 1 && count <= 10)) return text.length < 2 ? 'incomplete' : 'no_licence'
  const from = 2 + 10 * count
  const listed = [...text.slice(2, from).matchAll(/([A-Z]{2})\d{4}(\d{4})/g)]
  if (text.length < from) return 'incomplete'
  const [first] = listed
  const kind = kinds[first?.[1] ?? '']
  const body = text.slice(from).replace(/^\p{Cc}+/u, '')
  // Some issuers begin with the first element, without the part's name.
  const start = body.startsWith(first?.[1] ?? '@') ? 2 : 0
  if (listed.length !== count || !kind || !/^\p{Cc}*D[A-Z]{2}/u.test(body.slice(start))) return 'no_licence'
  const pieces = body.split(/\p{Cc}+/u)
  const length = listed.reduce((sum, [, , each]) => sum + Number(each), 0)
  // A scanner may leave out the very last sign, which ends the text.
  if (pieces.join(' ').length < length - (pieces.at(-1) === '' ? 0 : 1)) return 'incomplete'
  const elements = pieces
    .map((piece, index) => (index === 0 ? piece.slice(start) : piece))
    // A state's own part may be empty.
    .filter((piece) => piece !== '' && !listed.some(([, name]) => name === piece))
    .map((piece) => ({ id: piece.slice(0, 3), value: piece.slice(3).trim() }))
  return elements.every(({ id }) => /^(?:D[A-Z]|[A-CE-Z][A-Z0-9])[A-Z]$|^Z[A-Z][0-9]$/.test(id))
    ? { kind, elements }
    : 'no_licence'
}

function licenceOf(
  { kind, elements }: Parts,
  { version, today }: { version: number; today: string },
): Licence | Problem {
  const values = (id: string) => [
    ...new Set(elements.filter((each) => each.id === id).map(({ value }) => value)),
  ]
  const [born, expires, issued, until] = ['DBB', 'DBA', 'DBD', 'DDJ'].map((id) => values(id)[0] ?? '')
  const country = values('DCG')[0]
  if (['DBB', 'DBA', 'DBD', 'DCG', 'DDJ'].some((id) => values(id).length > 1)) return 'contradictory'
  if (!values('DAQ')[0] || !born || !expires) return 'no_licence'
  if (version > 1 && country !== 'USA' && country !== 'CAN') return 'no_licence'
  if (!isPostcode(values('DAK')[0] ?? '', country)) return 'no_licence'
  const days = { born: dayOf(born), expires: dayOf(expires) }
  const others = [issued, until].map((date) => (isFilled(date) ? dayOf(date) : null))
  if (!days.born || !days.expires || others.includes(undefined)) return 'contradictory'
  const licence = { kind, born: days.born, expires: days.expires }
  return isPlausible(licence, { issued: others[0], until: others[1], today }) ? licence : 'contradictory'
}

function isPostcode(text: string, country: string | undefined): boolean {
  if (country === 'CAN') return /^[A-Z]\d[A-Z] ?\d[A-Z]\d/.test(text)
  return country === 'USA' ? /^\d{5}/.test(text) : text !== ''
}

/** Some cards write a word in place of a date that they do not have. */
function isFilled(date: string | undefined): date is string {
  return date !== undefined && /\d/.test(date)
}

interface Beside {
  issued: string | null | undefined
  /** The day on which the person turns 21. */
  until: string | null | undefined
  today: string
}

/** A changed date rarely fits the others. */
function isPlausible({ born, expires }: Licence, { issued, until, today }: Beside): boolean {
  const at21 = `${Number(born.slice(0, 4)) + 21}${born.slice(4)}`
  return (
    born < today &&
    Number(born.slice(0, 4)) >= Number(today.slice(0, 4)) - 120 &&
    born < expires &&
    (!issued || (born < issued && issued <= today && issued <= expires)) &&
    (!until || until.slice(0, 4) === at21.slice(0, 4))
  )
}

/**
 * US cards write MMDDCCYY, Canadian ones and version 1 CCYYMMDD. No day can be read both ways: a month is at most 12, and
 * no year begins with less than 18.
 */
function dayOf(digits: string): string | undefined {
  const [, a, b, c, d] = /^(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(digits) ?? []
  return [`${a}${b}-${c}-${d}`, `${c}${d}-${a}-${b}`].find((day) => day >= '1800' && isRealDay(day))
}

function isRealDay(day: string): boolean {
  const time = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day)
}

/** A date as a person types it, MM/DD/YYYY. */
export function typedDay(text: string): string | undefined {
  const [, month = '', day = '', year = ''] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text.trim()) ?? []
  const typed = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isRealDay(typed) ? typed : undefined
}

/** On its last day the card still counts. */
export function verdictOf({ born, expires }: Pick<Licence, 'born' | 'expires'>, today: string): Verdict {
  return {
    is_over_21: isOver21(born, today),
    is_expired: expires < today,
  }
}
