import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
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
  const describe = createDescription(`${product} merchant API`)
  serve(readOpenApi, async ({ request, reply }) => {
    const parts = await describe(publicUrl(request))
    return (
      reply
        .type('application/json; charset=utf-8')
        .header(
          'content-length',
          parts.reduce((sum, part) => sum + part.length, 0),
        )
        // In parts, which all answers share: thousands of readers that do not read would each hold half a megabyte.
        .send(Readable.from(parts))
    )
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

/** Stands for the server's address, which may differ from request to request. */
const anyServer = 'https://any-server.invalid'

/** Anybody may ask, and describing half a megabyte keeps all other requests waiting: so that is done once. */
function createDescription(title: string): (serverUrl: string) => Promise<readonly Buffer[]> {
  let kept: Promise<Buffer[]> | undefined
  async function describe(): Promise<Buffer[]> {
    const description = withCodes(await readFile(guideFile, 'utf8'))
    const text = JSON.stringify({ ...describeApi({ title, description }), servers: [{ url: anyServer }] })
    return text.split(JSON.stringify(anyServer)).map((part) => Buffer.from(part))
  }
  return async (serverUrl) => {
    kept ??= describe().catch((error: unknown) => {
      kept = undefined
      throw error
    })
    const [before = Buffer.alloc(0), after = Buffer.alloc(0)] = await kept
    return [before, Buffer.from(JSON.stringify(serverUrl)), after]
  }
}
