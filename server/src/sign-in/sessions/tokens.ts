import { createSecretKey } from 'node:crypto'
import { errors, jwtVerify, SignJWT } from 'jose'
import type { Clock } from '#platform/clock/clock.ts'

const algorithm = 'HS256'
const issuer = 'cellarhand'
const audience = 'cellarhand-dashboard'
const tokenType = 'session'
const cacheSize = 5_000

interface TokenClaims {
  readonly userId: string
  readonly sessionId: string
  readonly expiresAtMs: number
}

export interface Tokens {
  issue(claims: TokenClaims): Promise<string>
  /** Undefined unless the signature, type, audience and time are right. */
  verify(token: string): Promise<TokenClaims | undefined>
}

/**
 * Signed tokens whose subject is the user (AUTH-016). A verified signature is remembered, because it stays valid. The
 * expiry is checked each time, and the database decides whether the session still exists.
 */
export function createTokens(secret: string, clock: Clock): Tokens {
  const key = createSecretKey(secret, 'utf8')
  const verified = new Map<string, TokenClaims>()

  return {
    async issue({ userId, sessionId, expiresAtMs }) {
      return new SignJWT({ type: tokenType })
        .setProtectedHeader({ alg: algorithm })
        .setSubject(userId)
        .setJti(sessionId)
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt(Math.floor(clock.nowMs() / 1000))
        .setExpirationTime(Math.floor(expiresAtMs / 1000))
        .sign(key)
    },
    async verify(token) {
      const known = verified.get(token) ?? (await verifySignature(token, key, new Date(clock.nowMs())))
      if (known === undefined) return undefined
      if (!verified.has(token)) {
        if (verified.size >= cacheSize) verified.delete(verified.keys().next().value ?? '')
        verified.set(token, known)
      }
      return known.expiresAtMs > clock.nowMs() ? known : undefined
    },
  }
}

async function verifySignature(
  token: string,
  key: Parameters<typeof jwtVerify>[1],
  currentDate: Date,
): Promise<TokenClaims | undefined> {
  try {
    const { payload } = await jwtVerify(token, key as never, {
      algorithms: [algorithm],
      issuer,
      audience,
      currentDate,
    })
    if (payload['type'] !== tokenType || !payload.sub || !payload.jti || payload.exp === undefined)
      return undefined
    return { userId: payload.sub, sessionId: payload.jti, expiresAtMs: payload.exp * 1000 }
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}
