import { refuse } from '#platform/http/refuse.ts'
import { publicAddressOf } from '#platform/outside/public-address.ts'

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

/** Accepts only public https addresses. Every delivery checks again to which addresses the name resolves. */
export function requireWebhookAddress(text: string, { allowLoopback }: WebhookPolicy): URL {
  const { url, problem } = publicAddressOf(text, allowLoopback)
  return url ?? refuse('validation_failed', { errors: { url: problem } })
}
