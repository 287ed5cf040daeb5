import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { answerNotFound } from './errors.ts'

const oneYearSeconds = 31_536_000

export interface DashboardOptions {
  /** The folder that Vite built. */
  readonly root: string
  /** What the page may know of this server; it stands in a meta element. */
  readonly config: Readonly<Record<string, unknown>>
}

/** The built dashboard: hashed files for a year, the page itself never without asking again. */
export async function serveDashboard(
  app: FastifyInstance,
  { root, config }: DashboardOptions,
): Promise<void> {
  const page = await readPage(root, config)
  await app.register(fastifyStatic, { root, serve: false, preCompressed: true })
  const sendPage = (reply: FastifyReply) =>
    reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(page)

  app.get('/', { config: { asset: true } }, async (_request, reply) => sendPage(reply))
  app.get<{ Params: { '*': string } }>('/assets/*', { config: { asset: true } }, async (request, reply) =>
    reply.sendFile(`assets/${request.params['*']}`, { maxAge: oneYearSeconds * 1000, immutable: true }),
  )
  for (const file of ['favicon.svg', 'robots.txt']) {
    app.get(`/${file}`, { config: { asset: true } }, async (_request, reply) => reply.sendFile(file))
  }
  app.setNotFoundHandler(async (request, reply) =>
    isPageVisit(request) ? sendPage(reply) : answerNotFound(request, reply),
  )
}

/** The dashboard has its own addresses; a browser that asks for a page gets the page, a client its 404. */
function isPageVisit(request: FastifyRequest): boolean {
  return (
    request.method === 'GET' &&
    (request.headers.accept ?? '').includes('text/html') &&
    !request.url.startsWith('/assets/')
  )
}

async function readPage(root: string, config: DashboardOptions['config']): Promise<string> {
  const json = JSON.stringify(config)
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
  const html = await readFile(join(root, 'index.html'), 'utf8')
  return html.replace(/(<meta\s+name="cellarhand-config"\s+content=)(?:"[^"]*"|'[^']*')/, `$1"${json}"`)
}
