import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { answerNotFound } from './errors.ts'

const oneYearSeconds = 31_536_000

export interface DashboardOptions {
  /** The folder that Vite built. */
  readonly root: string
  /** What the server tells the page, as it is at each visit, written into a meta element. */
  readonly config: () => Promise<Readonly<Record<string, unknown>>>
}

/** Serves the built dashboard. Browsers keep hashed files for a year, and ask for the page itself each time. */
export async function serveDashboard(
  app: FastifyInstance,
  { root, config }: DashboardOptions,
): Promise<void> {
  const readPage = pageReader(root, config)
  await readPage()
  await app.register(fastifyStatic, { root, serve: false, preCompressed: true })
  const sendPage = async (reply: FastifyReply) =>
    reply
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(await readPage())

  app.get('/', { config: { asset: true } }, async (_request, reply) => sendPage(reply))
  const file = { config: { asset: true }, errorHandler: answerNoFile }
  app.get<{ Params: { '*': string } }>('/assets/*', file, async (request, reply) =>
    reply.sendFile(`assets/${request.params['*']}`, { maxAge: oneYearSeconds * 1000, immutable: true }),
  )
  // Every file beside the page, such as the icons of its tab.
  for (const entry of await readdir(root, { withFileTypes: true })) {
    if (!entry.isFile() || /\.(html|gz|br)$/.test(entry.name)) continue
    app.get(`/${entry.name}`, file, async (_request, reply) => reply.sendFile(entry.name))
  }
  app.setNotFoundHandler(async (request, reply) =>
    isPageVisit(request) ? sendPage(reply) : answerNotFound(request, reply),
  )
}

/** A path that leads out of its folder leads to nothing. Without a body: a wish for another part or version. */
async function answerNoFile(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { statusCode = 500 } = error
  if (statusCode >= 500) throw error
  if (statusCode === 412 || statusCode === 416) return void (await reply.code(statusCode).send())
  await answerNotFound(request, reply)
}

/** The dashboard has its own addresses: a browser that asks for a page gets it, any other client gets a 404. */
function isPageVisit(request: FastifyRequest): boolean {
  return (
    request.method === 'GET' &&
    (request.headers.accept ?? '').includes('text/html') &&
    !request.url.startsWith('/assets/')
  )
}

/** The page with the server's settings in it; a new build makes it read the file again. */
function pageReader(root: string, config: DashboardOptions['config']): () => Promise<string> {
  const file = join(root, 'index.html')
  let html = ''
  let readAtMs = 0
  return async () => {
    const { mtimeMs } = await stat(file)
    if (mtimeMs !== readAtMs) {
      html = await readFile(file, 'utf8')
      readAtMs = mtimeMs
    }
    const json = JSON.stringify(await config())
      .replaceAll('&', '&amp;')
      .replaceAll('"', '&quot;')
      .replaceAll('<', '&lt;')
    return html.replace('"cellarhand-config" content="{}"', () => `"cellarhand-config" content="${json}"`)
  }
}
