import { storedToken } from '../kept/stored-session.ts'
import { claimsOf } from '../kept/token-claims.ts'

/** SHA-256 of the user's id in hex (GAP-183); undefined if the browser has no hashing, as on a page without https. */
export async function hashedUser(): Promise<string | undefined> {
  const subtle = (globalThis.crypto as Crypto | undefined)?.subtle
  const { sub } = claimsOf(storedToken() ?? '')
  if (subtle === undefined || sub === undefined) return undefined
  const digest = new Uint8Array(await subtle.digest('SHA-256', new TextEncoder().encode(sub)))
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
