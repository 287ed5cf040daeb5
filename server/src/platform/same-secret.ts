import { createHash, timingSafeEqual } from 'node:crypto'

/** Compares digests, so that the time taken shows neither length nor content. */
export function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}

/** The `name:secret` of an Authorization header; empty if it cannot be read. */
export function readBasicCredential(header: string | undefined): string {
  const encoded = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(header ?? '')?.[1] ?? ''
  return Buffer.from(encoded, 'base64').toString('utf8')
}
