import { randomBytes } from 'node:crypto'
import { createSigner } from '#platform/signed-text.ts'
import { sameSecret } from '#platform/same-secret.ts'
import type { Clock } from '#platform/clock/clock.ts'

export function newOfferId(): string {
  return randomBytes(16).toString('base64url')
}

export interface OfferLinks {
  create(baseUrl: string, offerId: string): string
  /** The offer of a link that this server has signed. */
  read(token: string): string | undefined
}

/** The row of the offer says until when the link works, so nothing else is signed. */
export function createOfferLinks(secret: string, clock: Clock): OfferLinks {
  const signer = createSigner(secret, 'substitutes', clock)
  return {
    create: (baseUrl, offerId) => `${baseUrl}/substitutes/${offerId}.${signer.sign(offerId)}`,
    read(token) {
      const [offerId = '', signature = ''] = token.split('.')
      return sameSecret(signature, signer.sign(offerId)) ? offerId : undefined
    },
  }
}
