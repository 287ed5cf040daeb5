import { once } from 'node:events'
import { connect } from 'node:net'

export interface Shot {
  readonly path: string
  readonly method?: 'GET' | 'PUT' | 'POST'
  readonly headers?: Record<string, string>
  readonly body?: string
}

export interface Line {
  /** Sends one request, reads its answer to the last byte and returns the status. One at a time. */
  shoot(shot: Shot): Promise<number>
  close(): void
}

interface Waiting {
  readonly resolve: (status: number) => void
  readonly reject: (error: Error) => void
}

const readBytes = 256 * 1024

/**
 * A connection that stays open and reads every answer into the same few bytes. A client that keeps its answers has
 * garbage to collect, and its pauses of several milliseconds would look like the server's slowest answers.
 */
export async function openLine(origin: string): Promise<Line> {
  const { hostname, port, host } = new URL(origin)
  const buffer = Buffer.alloc(readBytes)
  let waiting: Waiting | undefined
  let head = ''
  let status = 0
  let left = 0
  const read = (bytes: number): boolean => {
    const end = head.endsWith('\r\n\r\n') ? 0 : endOfHead(buffer, bytes)
    head += buffer.toString('latin1', 0, end)
    if (!head.endsWith('\r\n\r\n')) return true
    if (end > 0) {
      status = Number(head.slice(9, 12))
      left = lengthIn(head)
    }
    left -= bytes - end
    if (left > 0) return true
    head = ''
    const { resolve } = waiting ?? {}
    waiting = undefined
    resolve?.(status)
    return true
  }
  const socket = connect({
    host: hostname,
    port: Number(port),
    noDelay: true,
    onread: { buffer, callback: read },
  })
  await once(socket, 'connect')
  const fail = (error: Error) => waiting?.reject(error)
  socket.on('error', fail)
  socket.on('close', () => fail(new Error(`${origin} hung up`)))
  return {
    shoot: (shot) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        socket.write(textOf(shot, host))
      }),
    close: () => socket.destroy(),
  }
}

/** The position in the read bytes at which the answer's head ends. */
function endOfHead(buffer: Buffer, bytes: number): number {
  const blank = buffer.subarray(0, bytes).indexOf('\r\n\r\n')
  return blank === -1 ? bytes : blank + 4
}

function lengthIn(head: string): number {
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(head) ?? []
  if (length === undefined) throw new Error(`The answer does not say how long it is: ${head}`)
  return Number(length)
}

function textOf({ path, method = 'GET', headers = {}, body }: Shot, host: string): string {
  const all = {
    host,
    ...headers,
    ...(body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`
}
