import type { Page } from '@playwright/test'
import http from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Every script and style of a build has a name of its own. One that kept its name would come from the browser's cache,
 * ask for the old build's first script, and the desk would run twice on one page.
 */
const ofBuild = /(?<=["'`/])([\w.-]+-[\w-]{7})\.(js|css)\b/g

/** The server behind a proxy that turns its build into another one, as after an update. */
export interface NextBuild {
  readonly url: string
  /** From now on, page and first script are those of another build, and its worker too unless that one fails. */
  install(options?: { isWorkerBroken?: boolean }): void
  cut(): void
  remove(): Promise<void>
}

export async function openNextBuild(to: string): Promise<NextBuild> {
  const { hostname, port } = new URL(to)
  let isNext = false
  let isWorkerBroken = false
  const server = http.createServer((request, reply) => {
    const headers = withoutConditions(request.headers)
    if (isWorkerBroken && request.url === '/desk-worker.js') return void reply.writeHead(500).end()
    const path = (request.url ?? '/').replace('.next.', '.')
    const onward = http.request({ hostname, port, method: request.method, path, headers }, (answer) => {
      const isRewritten = isNext && /html|javascript/.test(answer.headers['content-type'] ?? '')
      if (!isRewritten) {
        reply.writeHead(answer.statusCode ?? 500, answer.headers)
        return void answer.pipe(reply)
      }
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () => {
        const { 'content-length': _length, ...rest } = answer.headers
        const text = Buffer.concat(parts).toString('utf8')
        reply.writeHead(answer.statusCode ?? 500, rest)
        reply.end(text.replace(ofBuild, '$1.next.$2').replace(/BUILD = '\w+'/, "BUILD = 'thenextbuild'"))
      })
    })
    onward.on('error', () => reply.destroy())
    reply.on('close', () => onward.destroy())
    request.pipe(onward)
  })
  const listen = () => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  await listen()
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const cut = () => {
    server.close()
    server.closeAllConnections()
  }
  return {
    url,
    install(options = {}) {
      isNext = true
      isWorkerBroken = options.isWorkerBroken ?? false
    },
    cut,
    async remove() {
      if (!server.listening) return
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The rewritten files differ from what a browser has, though their dates and tags are the same. */
function withoutConditions(given: http.IncomingHttpHeaders): http.IncomingHttpHeaders {
  const conditions = ['accept-encoding', 'if-none-match', 'if-modified-since']
  return Object.fromEntries(Object.entries(given).filter(([name]) => !conditions.includes(name)))
}

/** The address of the script with which the page began; the next build's matches `ofNext`. */
export const firstScript = (page: Page) =>
  page.evaluate(() => document.querySelector<HTMLScriptElement>('script[type=module]')?.src)
export const ofNext = /\/index-[^/]+\.next\.js$/
