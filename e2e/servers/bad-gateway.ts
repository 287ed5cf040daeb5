import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** A proxy before the server, as shops have one. It answers some calls with its own error page. */
export interface BadGateway {
  readonly url: string
  /** From now on, every call that begins with one of these, such as "GET /path", fails. */
  fail(...calls: string[]): void
  mend(): void
  remove(): Promise<void>
}

export async function openBadGateway(to: string, status = 400): Promise<BadGateway> {
  const failing = new Set<string>()
  const target = new URL(to)
  const server = http.createServer((request, reply) => {
    const call = `${request.method} ${request.url}`
    if ([...failing].some((start) => call.startsWith(start))) {
      reply.writeHead(status, { 'content-type': 'text/html' })
      return void reply.end('<html><body><h1>Bad Gateway</h1></body></html>')
    }
    const { hostname, port } = target
    const onward = http.request(
      { hostname, port, method: request.method, path: request.url, headers: request.headers },
      (answer) => {
        reply.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(reply)
      },
    )
    onward.on('error', () => reply.destroy())
    reply.on('close', () => onward.destroy())
    request.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fail: (...calls) => calls.forEach((call) => failing.add(call)),
    mend: () => failing.clear(),
    async remove() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
