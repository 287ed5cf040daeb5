import { isMoment } from '#platform/clock/zoned-time.ts'
import { plainWords } from '#platform/outside/plain-words.ts'

// Of an answer, only what has the documented form counts. The rest is as if it were missing, since the courier comes all
// the same, and the order has to show it.

/** The first and the last year that an order's times may have. */
const years = { from: 1900, to: 2999 }

export function timeOf(text: unknown): string | undefined {
  const at = new Date(isMoment(text) ? text : '')
  const year = at.getUTCFullYear()
  return year >= years.from && year <= years.to ? at.toISOString() : undefined
}

export function centsOf(amount: unknown): number | undefined {
  return typeof amount === 'number' && Number.isSafeInteger(amount) && amount >= 0 ? amount : undefined
}

const largestPicture = 2 * 1024 * 1024
const pictureStarts = [
  ['image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ['image/jpeg', Buffer.from([0xff, 0xd8, 0xff])],
] as const

/** By its first bytes; undefined if they are no picture, or too large to be one of a signature. */
export function pictureTypeOf(bytes: Buffer): (typeof pictureStarts)[number][0] | undefined {
  if (bytes.length > largestPicture) return undefined
  return pictureStarts.find(([, start]) => bytes.subarray(0, start.length).equals(start))?.[0]
}

/** A name that a stranger typed on a phone. */
export function nameOf(text: unknown): string | undefined {
  return (typeof text === 'string' && plainWords(text, 200)) || undefined
}
