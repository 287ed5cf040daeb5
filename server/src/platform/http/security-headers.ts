import type { FastifyInstance } from 'fastify'
import type { Config, Elsewhere } from '#platform/config.ts'

interface Policy {
  readonly frameAncestors: "'none'" | "'self'"
  readonly elsewhere?: Elsewhere
}

/** Allows only our own origin and the hosts that the settings name, and nothing inline. */
export function contentSecurityPolicy({ frameAncestors, elsewhere }: Policy): string {
  const and = (...addresses: (string | undefined)[]) =>
    [...new Set(addresses.flatMap((address) => (address ? [` ${new URL(address).origin}`] : [])))].join('')
  const { api, payments, content, apiDocumentation, pictures = [] } = elsewhere ?? {}
  return [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self'",
    [`img-src 'self' data: blob:${and(api)}`, ...pictures].join(' '),
    `connect-src 'self'${and(api, payments, content)}`,
    "font-src 'self'",
    // For printing a PDF that the page itself fetched.
    `frame-src 'self' blob:${and(api, apiDocumentation)}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    `frame-ancestors ${frameAncestors}`,
    "form-action 'self'",
  ].join('; ')
}

const headers = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // The camera scans IDs at the hand-over.
  'permissions-policy': 'camera=(self), microphone=(), geolocation=(), payment=()',
} as const

/** On every answer, regardless of its status. */
export function addSecurityHeaders(
  app: FastifyInstance,
  { publicUrl, elsewhere }: Pick<Config, 'publicUrl' | 'elsewhere'>,
): void {
  const policy = contentSecurityPolicy({ frameAncestors: "'none'", elsewhere })
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers).header('content-security-policy', policy)
    if (publicUrl?.startsWith('https:'))
      reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains')
  })
  app.addHook('onSend', async (_request, reply) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
}
