import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readApiDocumentation, readOpenApi } from '@cellarhand/contract/developers'
import { refusals } from '@cellarhand/contract/refusals'
import type { FastifyRequest } from 'fastify'
import { refuse } from '#platform/http/refuse.ts'
import { contentSecurityPolicy } from '#platform/http/security-headers.ts'
import type { Http } from '#platform/http/server.ts'
import { describeApi } from './openapi.ts'

export interface DeveloperDeps {
  readonly product: string
  /** The folder of the built dashboard, which also holds the documentation's page. */
  readonly webRoot: string
  readonly publicUrl: (request: FastifyRequest) => string
}

const guideFile = join(import.meta.dirname, 'guide.md')

/** The guide ends its chapter of errors with every code. */
function withCodes(guide: string): string {
  const rows = Object.entries(refusals).map(
    ([code, { status, message }]) => `| \`${code}\` | ${status} | ${message} |`,
  )
  return guide.replace('<!-- codes -->', () =>
    ['| code | status | title |', '|---|---|---|', ...rows].join('\n'),
  )
}

export function serveDevelopers({ serve }: Http, { product, webRoot, publicUrl }: DeveloperDeps): void {
  let described: ReturnType<typeof describeApi> | undefined
  serve(readOpenApi, async ({ request }) => {
    described ??= describeApi({
      title: `${product} merchant API`,
      description: withCodes(await readFile(guideFile, 'utf8')),
    })
    return { ...described, servers: [{ url: publicUrl(request) }] }
  })
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
