import { once } from 'node:events'
import net from 'node:net'
import type { AddressInfo } from 'node:net'
import { inject } from 'vitest'

export interface SlowWire {
  /** In the form of DATABASE_URL. */
  urlOf(database: string): string
  /** Resolves when a client has sent these bytes. They and all later bytes wait until `letGo`. */
  held: Promise<void>
  letGo(): void
  stop(): void
}

const usualLimit = 'statement_timeout=15000'

/**
 * A connection to the tests' PostgreSQL with a short usual limit for statements. It holds back everything from a given
 * text on, and changes nothing else.
 */
export async function openSlowWire({
  limitMs,
  holdAt,
}: {
  limitMs: number
  holdAt: string
}): Promise<SlowWire> {
  const address = inject('databaseServer')
  const url = address.url === undefined ? undefined : new URL(address.url)
  const target = {
    user: url?.username ?? address.user ?? '',
    password: url?.password ?? address.password ?? '',
    host: url?.searchParams.get('host') ?? url?.hostname ?? address.host ?? '',
    port: Number(url?.port || address.port || 5432),
  }
  const connect = () =>
    target.host.startsWith('/')
      ? net.connect(`${target.host}/.s.PGSQL.${target.port}`)
      : net.connect(target.port, target.host)
  const { promise: held, resolve: isHeld } = Promise.withResolvers<void>()
  const { promise: released, resolve: letGo } = Promise.withResolvers<void>()
  const sockets = new Set<net.Socket>()
  const short = `statement_timeout=${String(limitMs).padStart(5, '0')}`
  const wire = net.createServer((near) => {
    const far = connect()
    let isStarted = false
    near.on('data', (chunk: Buffer) => {
      const bytes = isStarted
        ? chunk
        : Buffer.from(chunk.toString('latin1').replace(usualLimit, short), 'latin1')
      isStarted = true
      if (!bytes.includes(holdAt)) return void far.write(bytes)
      near.pause()
      isHeld()
      void released.then(() => {
        far.write(bytes)
        near.resume()
      })
    })
    far.on('data', (chunk) => near.write(chunk))
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  })
  wire.listen(0, '127.0.0.1')
  await once(wire, 'listening')
  const { port } = wire.address() as AddressInfo
  const login = target.password === '' ? target.user : `${target.user}:${target.password}`
  return {
    urlOf: (database) => `postgres://${login}@127.0.0.1:${port}/${database}`,
    held,
    letGo,
    stop() {
      for (const socket of sockets) socket.destroy()
      wire.close()
    },
  }
}
