import { once } from 'node:events'
import net from 'node:net'
import type { AddressInfo } from 'node:net'
import { inject } from 'vitest'

export interface Wire {
  /** In the form of DATABASE_URL. */
  urlOf(database: string): string
  stop(): void
}

/** A way to the tests' PostgreSQL; `carry` moves the bytes between each client (`near`) and the database (`far`). */
export async function openWire(carry: (near: net.Socket, far: net.Socket) => void): Promise<Wire> {
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
  const sockets = new Set<net.Socket>()
  const wire = net.createServer((near) => {
    const far = connect()
    carry(near, far)
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
    stop() {
      for (const socket of sockets) socket.destroy()
      wire.close()
    },
  }
}
