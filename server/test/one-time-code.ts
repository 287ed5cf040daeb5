import { TOTP } from 'otpauth'

const stepMs = 30_000

/** What an authenticator app with this secret (in Base32) shows so many steps from now. */
export function codeOf(secret: string, steps = 0): string {
  return new TOTP({ secret }).generate({ timestamp: Date.now() + steps * stepMs })
}
