import { connect, createServer, type Server, type Socket } from 'node:net'
import { freePort } from '../../scripts/launch/free-port.mjs'
import type { DatabaseAddress } from '../src/platform/db/database.ts'

/** A road to the database that can close: it accepts no connection, and drops the open ones. */
export class Road {
  #server: Server | undefined
  readonly #sockets = new Set<Socket>()
  readonly #to: DatabaseAddress
  #port = 0
  #isSilent = false

  constructor(to: DatabaseAddress) {
    this.#to = to
  }

  get address(): DatabaseAddress {
    const { url, ...rest } = this.#to
    if (url === undefined) return { ...rest, host: '127.0.0.1', port: this.#port }
    const through = new URL(url)
    through.hostname = '127.0.0.1'
    through.port = String(this.#port)
    return { ...rest, url: through.href }
  }

  #end(): { host: string; port: number } {
    const { url, host = 'localhost', port = 5432 } = this.#to
    if (url === undefined) return { host, port }
    const at = new URL(url)
    return { host: at.hostname, port: Number(at.port || '5432') }
  }

  async open(): Promise<void> {
    this.#isSilent = false
    const server = createServer((socket) => {
      const { host, port } = this.#end()
      const onward = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
      for (const end of [socket, onward]) {
        this.#sockets.add(end)
        end.on('error', () => undefined)
        end.on('close', () => {
          socket.destroy()
          onward.destroy()
          this.#sockets.delete(end)
        })
      }
      if (!this.#isSilent) socket.pipe(onward).pipe(socket)
    })
    this.#server = server
    // It opens again under the same port, which nothing may take meanwhile.
    this.#port ||= await freePort()
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve))
  }

  /** Keeps connections open but stops all answers; with `forAll`, on later connections too. */
  fallSilent({ forAll = false } = {}): void {
    this.#isSilent = forAll
    for (const socket of this.#sockets) socket.unpipe()
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server?.close(resolve))
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }
}
