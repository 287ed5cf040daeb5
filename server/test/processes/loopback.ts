import http from 'node:http'
import type { AddressInfo } from 'node:net'

export interface LoopbackRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: http.IncomingHttpHeaders
  readonly text: string
  readonly bytes: Buffer
  /** The body, if it is JSON. */
  readonly json: unknown
}

interface LoopbackReply {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly json?: unknown
  readonly text?: string
  readonly bytes?: Buffer
}

/** `hang` never answers; `drop` cuts the connection. In both cases the handler runs first. */
export type LoopbackAnswer = LoopbackReply | 'hang' | 'drop'

interface LoopbackOptions {
  /**
   * A request has arrived that gets no answer. A test turns its server's clock forward here: a short limit for all
   * requests would also end those that a slow machine answers late.
   */
  readonly onHang?: () => void
}

export interface Loopback {
  readonly url: string
  readonly requests: LoopbackRequest[]
  /** The requests that name this, so that a worker's question from an earlier test does not count. */
  about(id: string): LoopbackRequest[]
  /** Answers that replace the handler's, one request each. */
  next(...answers: LoopbackAnswer[]): void
  /** The same, for requests like these alone (`POST /path`), where a worker may ask something else meanwhile. */
  nextTo(which: RegExp, ...answers: LoopbackAnswer[]): void
  stop(): Promise<void>
}

/** An outside provider on 127.0.0.1 that speaks real HTTP and can fail in every way. */
export async function startLoopback(
  handler: (request: LoopbackRequest) => LoopbackAnswer | Promise<LoopbackAnswer>,
  { onHang }: LoopbackOptions = {},
): Promise<Loopback> {
  const requests: LoopbackRequest[] = []
  const planned: { readonly which: RegExp; readonly answer: LoopbackAnswer }[] = []
  const plan = (which: RegExp, answers: readonly LoopbackAnswer[]) =>
    void planned.push(...answers.map((answer) => ({ which, answer })))
  function takePlanned({ method, path }: LoopbackRequest): LoopbackAnswer | undefined {
    const at = planned.findIndex(({ which }) => which.test(`${method} ${path}`))
    return at === -1 ? undefined : planned.splice(at, 1)[0]?.answer
  }
  const server = http.createServer((incoming, response) => {
    void respond(incoming, response)
  })

  async function respond(incoming: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const request = await readRequest(incoming)
    requests.push(request)
    const answer = takePlanned(request) ?? (await handler(request))
    if (answer === 'hang') return onHang?.()
    if (answer === 'drop') return void response.socket?.destroy()
    const { status = 200, headers = {}, json, text, bytes } = answer
    response.writeHead(status, {
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    })
    response.end(bytes ?? (json === undefined ? (text ?? '') : JSON.stringify(json)))
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    about: (id) => requests.filter(({ path, text }) => path.includes(id) || text.includes(id)),
    next: (...answers) => plan(/^/, answers),
    nextTo: (which, ...answers) => plan(which, answers),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function readRequest(incoming: http.IncomingMessage): Promise<LoopbackRequest> {
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(part as Buffer)
  const bytes = Buffer.concat(parts)
  const text = bytes.toString('utf8')
  const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://loopback')
  const isJson = incoming.headers['content-type']?.startsWith('application/json') === true
  return {
    method: incoming.method ?? '',
    path: pathname,
    query: searchParams,
    headers: incoming.headers,
    text,
    bytes,
    json: isJson && text !== '' ? (JSON.parse(text) as unknown) : undefined,
  }
}
