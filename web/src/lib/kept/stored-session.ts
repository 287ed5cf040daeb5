import { kept } from './browser-storage.ts'
import { claimsOf } from './token-claims.ts'

const TOKEN = 'jwt'
const MERCHANT_KEY = 'tmk'
/** How far the server's clock is ahead of this browser's, where they differ by more than some minutes. */
const CLOCK = 'cellarhand-clock'
const USUAL_SKEW_MS = 5 * 60_000

/** The user of this page. Another tab may sign in somebody else, and that token is not for this page. */
let owner: string | undefined

/** Counts this page's sessions. Work that began in one must not continue in the next, which may be another user's. */
let sessions = 0

export function sessionNumber(): number {
  return sessions
}

export function storedToken(): string | null {
  const token = kept.get(TOKEN)
  if (token === null || isOfAnother(token)) return null
  if (isExpired(token)) {
    clearStoredSession()
    return null
  }
  return token
}

/** From now on the page belongs to the token's user. */
export function storeToken(token: string): void {
  kept.set(TOKEN, token)
  const { sub, iat } = claimsOf(token)
  const aheadMs = iat === undefined ? 0 : iat * 1000 - Date.now()
  if (Math.abs(aheadMs) > USUAL_SKEW_MS) kept.set(CLOCK, String(aheadMs))
  else kept.remove(CLOCK)
  if (sub !== owner) sessions += 1
  owner = sub
}

/**
 * Whether the call's session is still the stored one. The answer may arrive after another tab has signed out or signed
 * in somebody else, and must not bring the former session back.
 */
export function isStillStored({ sent, renewed }: { sent: string; renewed: string }): boolean {
  const stored = storedToken()
  if (stored === null || stored === sent) return stored !== null
  const { jti } = claimsOf(stored)
  return jti !== undefined && jti === claimsOf(renewed).jti
}

export function isSameUser(token: string, other: string): boolean {
  const { sub } = claimsOf(token)
  return sub !== undefined && sub === claimsOf(other).sub
}

/** In the place of a merchant's key where nobody is signed in, or the person belongs to no shop. */
export const noMerchant = 'none'

/** No key has a character that a cookie would have to escape (`MerchantKey`). What another program wrote is no key. */
export function storedMerchantKey(): string | null {
  const found = document.cookie.split('; ').find((part) => part.startsWith(`${MERCHANT_KEY}=`))
  return found ? found.slice(MERCHANT_KEY.length + 1) : null
}

export function storeMerchantKey(key: string): void {
  document.cookie = `${MERCHANT_KEY}=${key}; ${cookieRules()}`
}

/** Leaves a session that another tab has stored for somebody else. */
export function clearStoredSession(): void {
  const token = kept.get(TOKEN)
  if (token === null || !isOfAnother(token)) {
    kept.remove(TOKEN)
    // Without the second one, nothing that the device keeps of this session can be read (`device/sealed-store.ts`).
    for (const name of [MERCHANT_KEY, 'cellarhand-seal'])
      document.cookie = `${name}=; max-age=0; ${cookieRules()}`
  }
  owner = undefined
  sessions += 1
}

/** Reacts when another tab changes the stored session; returns the function that stops it. */
export function whenStoredElsewhere(react: () => void): () => void {
  const listen = ({ key }: StorageEvent): void => {
    if (key === TOKEN || key === null) react()
  }
  addEventListener('storage', listen)
  return () => removeEventListener('storage', listen)
}

function isOfAnother(token: string): boolean {
  const { sub } = claimsOf(token)
  return owner !== undefined && sub !== undefined && sub !== owner
}

function cookieRules(): string {
  return `path=/; SameSite=Lax${location.protocol === 'https:' ? '; Secure' : ''}`
}

function isExpired(token: string): boolean {
  const { exp } = claimsOf(token)
  return exp !== undefined && exp * 1000 <= Date.now() + Number(kept.get(CLOCK))
}
