import type { FastifyInstance } from 'fastify'

/** Own origin only, and nothing inline, on every page; they differ in who may frame them alone. */
export function contentSecurityPolicy({ frameAncestors }: { frameAncestors: "'none'" | "'self'" }): string {
  return [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "font-src 'self'",
    // For printing: a PDF that the page fetched itself.
    "frame-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    `frame-ancestors ${frameAncestors}`,
    "form-action 'self'",
  ].join('; ')
}

const headers = {
  'content-security-policy': contentSecurityPolicy({ frameAncestors: "'none'" }),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
} as const

/** On every answer, whatever its status. */
export function addSecurityHeaders(app: FastifyInstance, { isHttps }: { isHttps: boolean }): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers)
    if (isHttps) reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains')
  })
  app.addHook('onSend', async (_request, reply) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
}
