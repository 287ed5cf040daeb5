import { createSigner } from '#platform/signed-text.ts'

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
  const signer = createSigner(secret, 'label links')
  const textOf = ({ merchantId, purchaseId, box }: LabelFileName, expires: string) =>
    `${merchantId}/${purchaseId}-${box}/${expires}`
  return {
    create(base, file) {
      // The same link for one whole hour, so that a refresh changes nothing on the screen.
      const hours = Math.floor(Date.now() / 1000 / lifetimeSeconds)
      const expires = String((hours + 2) * lifetimeSeconds)
      const query = new URLSearchParams({ expires, signature: signer.sign(textOf(file, expires)) })
      return `${base}/m/v2/merchant/${file.merchantId}/shipping_labels/${file.purchaseId}-${file.box}?${query.toString()}`
    },
    isGood: (file, given) => signer.isGood(textOf(file, given.expires), given),
  }
}
