const TOKEN = 'jwt'
const MERCHANT_KEY = 'tmk'

export function storedToken(): string | null {
  const token = localStorage.getItem(TOKEN)
  if (token && isExpired(token)) {
    clearStoredSession()
    return null
  }
  return token
}

export function storeToken(token: string): void {
  localStorage.setItem(TOKEN, token)
}

export function storedMerchantKey(): string | null {
  const found = document.cookie.split('; ').find((part) => part.startsWith(`${MERCHANT_KEY}=`))
  return found ? decodeURIComponent(found.slice(MERCHANT_KEY.length + 1)) : null
}

export function storeMerchantKey(key: string): void {
  document.cookie = `${MERCHANT_KEY}=${encodeURIComponent(key)}; ${cookieRules()}`
}

export function clearStoredSession(): void {
  localStorage.removeItem(TOKEN)
  document.cookie = `${MERCHANT_KEY}=; max-age=0; ${cookieRules()}`
}

function cookieRules(): string {
  return `path=/; SameSite=Lax${location.protocol === 'https:' ? '; Secure' : ''}`
}

function isExpired(token: string): boolean {
  const expiresAt = expiryOf(token)
  return expiresAt !== null && expiresAt * 1000 <= Date.now()
}

function expiryOf(token: string): number | null {
  try {
    const body = token.split('.')[1] ?? ''
    const claims = JSON.parse(atob(body.replaceAll('-', '+').replaceAll('_', '/'))) as { exp?: number }
    return claims.exp ?? null
  } catch {
    return null
  }
}
