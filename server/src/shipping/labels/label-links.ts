import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

const lifetimeSeconds = 3600

export interface LabelFileName {
  readonly merchantId: string
  readonly purchaseId: string
  readonly box: number
}

export interface LabelLinks {
  /** A link that opens the file for one hour, for anybody who has it. */
  create(base: string, file: LabelFileName): string
  isGood(file: LabelFileName, given: { expires: string; signature: string }): boolean
}

export function createLabelLinks(secret: string): LabelLinks {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'label links', 32))
  const sign = ({ merchantId, purchaseId, box }: LabelFileName, expires: string) =>
    createHmac('sha256', key).update(`${merchantId}/${purchaseId}-${box}/${expires}`).digest('base64url')
  return {
    create(base, file) {
      // The same link for one whole hour, so that a refresh changes nothing on the screen.
      const hours = Math.floor(Date.now() / 1000 / lifetimeSeconds)
      const expires = String((hours + 2) * lifetimeSeconds)
      const query = new URLSearchParams({ expires, signature: sign(file, expires) })
      return `${base}/m/v2/merchant/${file.merchantId}/shipping_labels/${file.purchaseId}-${file.box}?${query.toString()}`
    },
    isGood(file, { expires, signature }) {
      const expected = Buffer.from(sign(file, expires))
      const given = Buffer.from(signature)
      const isSigned = given.length === expected.length && timingSafeEqual(given, expected)
      return isSigned && Number(expires) * 1000 > Date.now()
    },
  }
}
