import { createHash, randomBytes } from 'node:crypto'
import { createSigner } from '#platform/signed-text.ts'
import { sameSecret } from '#platform/same-secret.ts'
import type { Clock } from '#platform/clock/clock.ts'

export function newOfferId(): string {
  return randomBytes(16).toString('base64url')
}

export interface OfferLinks {
  create(baseUrl: string, offerId: string): string
  /** Of the link's signature; the offer's row keeps it. */
  digest(offerId: string): string
  /** Undefined if the text is no link at all. */
  read(token: string): GivenLink | undefined
}

export interface GivenLink {
  readonly offerId: string
  /** With the present secret of this server. */
  readonly isSigned: boolean
  readonly digest: string
}

/** Strangers write links, too, and the database refuses some signs, such as NUL, with an error. */
const linkForm = /^([\w-]+)\.([\w-]+)$/

function digestOf(signature: string): string {
  return createHash('sha256').update(signature).digest('base64url')
}

/** The row of the offer says until when the link works, so nothing else is signed. */
export function createOfferLinks(secret: string, clock: Clock): OfferLinks {
  const signer = createSigner(secret, 'substitutes', clock)
  return {
    create: (baseUrl, offerId) => `${baseUrl}/substitutes/${offerId}.${signer.sign(offerId)}`,
    digest: (offerId) => digestOf(signer.sign(offerId)),
    read(token) {
      const [, offerId, signature] = linkForm.exec(token) ?? []
      if (offerId === undefined || signature === undefined) return undefined
      const isSigned = sameSecret(signature, signer.sign(offerId))
      return { offerId, isSigned, digest: digestOf(signature) }
    },
  }
}
