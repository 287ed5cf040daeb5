import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

const lifetimeSeconds = 3600

export interface FileLinks {
  /** A link that opens the file for one hour, for anybody who has it. */
  create(baseUrl: string, name: string): string
  isGood(name: string, given: { readonly exp: string; readonly sig: string }): boolean
}

export function createFileLinks(secret: string): FileLinks {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'file links', 32))
  const sign = (name: string, exp: string) =>
    createHmac('sha256', key).update(`${name}\n${exp}`).digest('base64url')
  return {
    create(baseUrl, name) {
      const exp = String(Math.floor(Date.now() / 1000) + lifetimeSeconds)
      return `${baseUrl}/m/v2/files/${name}?${new URLSearchParams({ exp, sig: sign(name, exp) }).toString()}`
    },
    isGood(name, { exp, sig }) {
      const expected = Buffer.from(sign(name, exp))
      const given = Buffer.from(sig)
      const isSigned = given.length === expected.length && timingSafeEqual(given, expected)
      return isSigned && /^\d{1,15}$/.test(exp) && Number(exp) * 1000 > Date.now()
    },
  }
}
