import { kept } from './browser-storage.ts'

const TOKEN = 'jwt'
const MERCHANT_KEY = 'tmk'
/** How far the server's clock is ahead of this browser's, where they differ by more than some minutes. */
const CLOCK = 'cellarhand-clock'
const USUAL_SKEW_MS = 5 * 60_000

/** The user whose page this is. Another tab may sign somebody else in, whose token is not for this page. */
let owner: string | undefined

/** Counts the sessions of this page. What began in one must not go on in the next, which may be of somebody else. */
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

/** From here on the page is that of the token's user. */
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
 * Whether the session that a call was made with is the stored one still. Its answer may come after another tab has
 * signed out or somebody else in, and must not bring the former session back.
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

export function storedMerchantKey(): string | null {
  const found = document.cookie.split('; ').find((part) => part.startsWith(`${MERCHANT_KEY}=`))
  return found ? decodeURIComponent(found.slice(MERCHANT_KEY.length + 1)) : null
}

export function storeMerchantKey(key: string): void {
  document.cookie = `${MERCHANT_KEY}=${encodeURIComponent(key)}; ${cookieRules()}`
}

/** What another tab has stored for somebody else stays. */
export function clearStoredSession(): void {
  const token = kept.get(TOKEN)
  if (token === null || !isOfAnother(token)) {
    kept.remove(TOKEN)
    document.cookie = `${MERCHANT_KEY}=; max-age=0; ${cookieRules()}`
  }
  owner = undefined
  sessions += 1
}

/** Hears of what other tabs do with the stored session; returns the function that ends it. */
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

/** The token's own word, unchecked: good for comparing, and never for letting anybody in. */
function claimsOf(token: string): { sub?: string; jti?: string; iat?: number; exp?: number } {
  try {
    const body = token.split('.')[1] ?? ''
    return JSON.parse(atob(body.replaceAll('-', '+').replaceAll('_', '/'))) as ReturnType<typeof claimsOf>
  } catch {
    return {}
  }
}
