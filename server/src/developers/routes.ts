import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readApiDocumentation, readOpenApi } from '@cellarhand/contract/developers'
import type { FastifyRequest } from 'fastify'
import { describeApi } from '#platform/http/openapi.ts'
import { refuse } from '#platform/http/refuse.ts'
import { contentSecurityPolicy } from '#platform/http/security-headers.ts'
import type { Http } from '#platform/http/server.ts'

export interface DeveloperDeps {
  readonly product: string
  /** The folder of the built dashboard, which also holds the documentation's page. */
  readonly webRoot: string
  readonly publicUrl: (request: FastifyRequest) => string
}

const guideFile = join(import.meta.dirname, 'guide.md')

export function serveDevelopers({ serve }: Http, { product, webRoot, publicUrl }: DeveloperDeps): void {
  serve(readOpenApi, async ({ request }) =>
    describeApi({
      serverUrl: publicUrl(request),
      title: `${product} merchant API`,
      description: await readFile(guideFile, 'utf8'),
    }),
  )
  serve(readApiDocumentation, async ({ reply }) => {
    const page = await readFile(join(webRoot, 'api-reference.html')).catch(() => refuse('not_found'))
    return (
      reply
        .type('text/html; charset=utf-8')
        .header('cache-control', 'no-cache')
        // The page /developers shows it in a frame.
        .header('content-security-policy', contentSecurityPolicy({ frameAncestors: "'self'" }))
        .send(page)
    )
  })
}
