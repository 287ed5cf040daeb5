import { Secret, TOTP } from 'otpauth'

/** 160 bits, as RFC 4226 (section 4, R6) recommends. */
export function newSecret(): Secret {
  return new Secret({ size: 20 })
}

export function secretOf(bytes: Uint8Array): Secret {
  return new Secret({ buffer: Uint8Array.from(bytes).buffer })
}

/** The counter of the code: the present one, or one step to either side for inaccurate clocks (RFC 6238, 5.2). */
export function counterOf(secret: Secret, code: string, nowMs: number): number | undefined {
  const totp = new TOTP({ secret })
  const steps = totp.validate({ token: code, timestamp: nowMs, window: 1 })
  return steps === null ? undefined : totp.counter({ timestamp: nowMs }) + steps
}

/** The address that authenticator apps read from the QR code. */
export function otpauthUrl(secret: Secret, { issuer, account }: { issuer: string; account: string }): string {
  return new TOTP({ secret, issuer, label: account }).toString()
}
