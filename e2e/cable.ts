import net from 'node:net'

/** A line between a browser and the server that can be cut and mended, as a cable is. */
export interface Cable {
  readonly url: string
  cut(): void
  mend(): void
  remove(): Promise<void>
}

export async function layCable(to: string): Promise<Cable> {
  const { hostname, port } = new URL(to)
  const open = new Set<net.Socket>()
  let isCut = false
  const server = net.createServer((near) => {
    if (isCut) return void near.destroy()
    const far = net.connect(Number(port), hostname)
    for (const socket of [near, far]) {
      open.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        open.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far).pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    isCut = true
    for (const socket of open) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`,
    cut,
    mend: () => (isCut = false),
    async remove() {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
