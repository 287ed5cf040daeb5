import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** Another server behind API_BASE, whose replies lack some fields. */
export interface PlainGateway {
  readonly url: string
  remove(): Promise<void>
}

/** What this server adds to the documented replies. */
const ours = new Set([
  'deadline_at',
  'history',
  'next_deadline',
  'delivery_method',
  'failed',
  'rejected',
  'labels',
  'version',
])

/** `lacks` names a field by its call, such as "GET /path", and its key. By default only documented fields are left. */
export async function openPlainGateway(
  to: string,
  lacks: (call: string, key: string) => boolean = (_call, key) => ours.has(key),
): Promise<PlainGateway> {
  const { hostname, port } = new URL(to)
  const server = http.createServer((request, reply) => {
    const { 'accept-encoding': _packed, 'if-none-match': _known, ...headers } = request.headers
    const onward = http.request(
      { hostname, port, method: request.method, path: request.url, headers },
      (answer) => {
        const call = `${request.method} ${request.url}`
        void forward(answer, reply, (key) => lacks(call, key))
      },
    )
    onward.on('error', () => reply.destroy())
    reply.on('close', () => onward.destroy())
    request.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async remove() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function forward(
  answer: http.IncomingMessage,
  reply: http.ServerResponse,
  lacks: (key: string) => boolean,
): Promise<void> {
  const { 'content-length': _length, ...headers } = answer.headers
  if (answer.headers['content-type']?.startsWith('application/json') !== true) {
    reply.writeHead(answer.statusCode ?? 500, answer.headers)
    return void answer.pipe(reply)
  }
  const parts: Buffer[] = []
  for await (const part of answer) parts.push(part as Buffer)
  const text = Buffer.concat(parts).toString('utf8')
  reply.writeHead(answer.statusCode ?? 500, headers)
  reply.end(
    text === ''
      ? ''
      : JSON.stringify(JSON.parse(text, (key, value: unknown) => (lacks(key) ? undefined : value))),
  )
}
