/** SHA-256 in hex (GAP-183); undefined if the browser has no hashing, as on a page without https. */
export async function hashed(id: string): Promise<string | undefined> {
  const subtle = (globalThis.crypto as Crypto | undefined)?.subtle
  if (subtle === undefined) return undefined
  const digest = new Uint8Array(await subtle.digest('SHA-256', new TextEncoder().encode(id)))
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
