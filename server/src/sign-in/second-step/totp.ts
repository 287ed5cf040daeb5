import { createHmac, randomBytes } from 'node:crypto'

const stepSeconds = 30
const digits = 6
/** 160 bits, as RFC 4226 (section 4, R6) recommends. */
const secretBytes = 20
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export function newSecret(): Buffer {
  return randomBytes(secretBytes)
}

export function toBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? [])
    .map((group) => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)])
    .join('')
}

export function counterAt(timeMs: number): number {
  return Math.floor(timeMs / 1000 / stepSeconds)
}

/** HOTP (RFC 4226, section 5.3); with the time's counter it is TOTP (RFC 6238). */
export function codeOf(secret: Uint8Array, counter: number): string {
  const message = Buffer.alloc(8)
  message.writeBigUInt64BE(BigInt(counter))
  const digest = createHmac('sha1', secret).update(message).digest()
  const offset = (digest.at(-1) ?? 0) & 15
  const number = digest.readUInt32BE(offset) & 0x7f_ff_ff_ff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** The counter of the code: the present one, or one step to either side for inaccurate clocks (RFC 6238, 5.2). */
export function counterOf(secret: Uint8Array, code: string, nowMs: number): number | undefined {
  const now = counterAt(nowMs)
  return [now, now - 1, now + 1].find((counter) => codeOf(secret, counter) === code)
}

/** The address that authenticator apps read from the QR code. */
export function otpauthUrl(
  secret: Uint8Array,
  { issuer, account }: { issuer: string; account: string },
): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?secret=${toBase32(secret)}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${digits}&period=${stepSeconds}`
}
