import { createHmac, hkdfSync } from 'node:crypto'
import { sameSecret } from './same-secret.ts'

export interface Signer {
  sign(text: string): string
  /** Whether this server signed the text, and the moment in it, in seconds since 1970, is still to come. */
  isGood(text: string, given: { readonly expires: string; readonly signature: string }): boolean
}

/** Signs texts for one purpose. A signature for one purpose is none for another. */
export function createSigner(secret: string, purpose: string): Signer {
  const key = Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))
  const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url')
  return {
    sign,
    isGood: (text, { expires, signature }) =>
      sameSecret(signature, sign(text)) && /^\d{1,15}$/.test(expires) && Number(expires) * 1000 > Date.now(),
  }
}
