/** A link for a clerk may lead only to a web page. */
export function httpsOnly(url: string | null | undefined): string | undefined {
  return url?.startsWith('https://') === true ? url : undefined
}

export function timeOf(text: string | null | undefined): string | undefined {
  const at = Date.parse(text ?? '')
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
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
  return (typeof text === 'string' && text.trim().slice(0, 200)) || undefined
}
