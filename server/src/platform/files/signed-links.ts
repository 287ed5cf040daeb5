import { createSigner } from '../signed-text.ts'

const lifetimeSeconds = 3600

export interface FileLinks {
  /** A link that opens the file for one hour, for anybody who has it. */
  create(baseUrl: string, name: string): string
  isGood(name: string, given: { readonly exp: string; readonly sig: string }): boolean
}

export function createFileLinks(secret: string): FileLinks {
  const signer = createSigner(secret, 'file links')
  const textOf = (name: string, exp: string) => `${name}\n${exp}`
  return {
    create(baseUrl, name) {
      const exp = String(Math.floor(Date.now() / 1000) + lifetimeSeconds)
      const query = new URLSearchParams({ exp, sig: signer.sign(textOf(name, exp)) })
      return `${baseUrl}/m/v2/files/${name}?${query.toString()}`
    },
    isGood: (name, { exp, sig }) => signer.isGood(textOf(name, exp), { expires: exp, signature: sig }),
  }
}
