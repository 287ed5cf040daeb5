import { isIP } from 'node:net'
import { refuse } from '#platform/http/refuse.ts'
import { isPublicAddress } from './public-address.ts'

export interface WebhookPolicy {
  /** Only the demo may call this machine itself. */
  readonly allowLoopback: boolean
  /** Seals the endpoint's secret before it is stored. */
  readonly seal: (text: string) => string
  readonly open: (sealed: string) => string
}

/** Undefined for a secret that no key opens. */
export function openedBy({ open }: WebhookPolicy, sealed: string | null | undefined): string | undefined {
  try {
    return sealed == null ? undefined : open(sealed)
  } catch {
    return undefined
  }
}

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Accepts only public https addresses. Every delivery checks again to which addresses the name resolves. */
export function requireWebhookAddress(text: string, { allowLoopback }: WebhookPolicy): URL {
  const invalid = (problem: string) => refuse('validation_failed', { errors: { url: problem } })
  if (!URL.canParse(text)) return invalid('Please give an absolute https address')
  const url = new URL(text)
  if (url.username !== '' || url.password !== '')
    return invalid('The address must not carry a user name or password')
  if (loopback.test(url.hostname)) {
    return allowLoopback && ['http:', 'https:'].includes(url.protocol)
      ? url
      : invalid('The address must be public')
  }
  if (url.protocol !== 'https:') return invalid('The address must start with https://')
  const literal = url.hostname.replaceAll(/[[\]]/g, '')
  if (isIP(literal) !== 0 && !isPublicAddress(literal)) return invalid('The address must be public')
  return url
}
