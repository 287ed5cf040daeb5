import type { Clock } from '../clock/clock.ts'
import { createSigner } from '../signed-text.ts'

const lifetimeSeconds = 3600

export interface FileLinks {
  /** A link that opens the file for one hour, for anybody who has it. `folder` is the call's, if it is not the usual one. */
  create(baseUrl: string, name: string, folder?: string): string
  isGood(name: string, given: { readonly exp: string; readonly sig: string }): boolean
}

export function createFileLinks(secret: string, clock: Clock): FileLinks {
  const signer = createSigner(secret, 'file links', clock)
  const textOf = (name: string, exp: string) => `${name}\n${exp}`
  return {
    create(baseUrl, name, folder = 'files') {
      const exp = String(Math.floor(clock.nowMs() / 1000) + lifetimeSeconds)
      const query = new URLSearchParams({ exp, sig: signer.sign(textOf(name, exp)) })
      return `${baseUrl}/m/v2/${folder}/${name}?${query.toString()}`
    },
    isGood: (name, { exp, sig }) => signer.isGood(textOf(name, exp), { expires: exp, signature: sig }),
  }
}
