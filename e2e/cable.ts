import net from 'node:net'

/** A connection between a browser and the server that a test can cut and repair, like a cable. */
export interface Cable {
  readonly url: string
  cut(): void
  /** Calls still arrive, but the connection breaks before any answer comes back. */
  loseAnswers(): void
  /** Calls arrive, and their answers wait until the connection is repaired: all answers, or those to "PUT /path". */
  holdAnswers(call?: string): void
  /** Nothing passes in either direction, and nothing closes, as in a dead spot of the radio. */
  hold(): void
  /** Each answer comes that much later. */
  slow(ms: number): void
  /** A part between browser and server answers in the server's place, like a failing proxy. */
  answerInstead(status: string, body: string): void
  mend(): void
  remove(): Promise<void>
}

export async function layCable(to: string): Promise<Cable> {
  const { hostname, port } = new URL(to)
  const open = new Set<net.Socket>()
  let isCut = false
  let isLosing = false
  let holding: string | undefined
  const held: (() => void)[] = []
  let isSilent = false
  let proxyAnswer = ''
  let delayMs = 0
  const server = net.createServer((near) => {
    if (isCut) return void near.destroy()
    if (proxyAnswer !== '') {
      near.on('error', () => undefined)
      return void near.once('data', () => near.end(proxyAnswer))
    }
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
    let asked = ''
    // Pieces of one answer keep their order, also when the line becomes quick again meanwhile.
    let lastAt = 0
    const pass = (chunk: Buffer) => {
      lastAt = Math.max(lastAt, Date.now() + delayMs)
      if (lastAt <= Date.now()) near.write(chunk)
      else setTimeout(() => near.writable && near.write(chunk), lastAt - Date.now())
    }
    near.on('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1')
      // A long call comes in pieces.
      if (/^[A-Z]+ \//.test(text)) asked = text
    })
    near.pipe(far)
    far.on('data', (chunk) => {
      if (isLosing) return void far.destroy()
      if (holding !== undefined && asked.startsWith(holding)) held.push(() => near.write(chunk))
      else pass(chunk)
    })
    if (isSilent) for (const socket of [near, far]) socket.pause()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    isCut = true
    for (const socket of open) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`,
    cut,
    loseAnswers: () => (isLosing = true),
    holdAnswers: (call = '') => (holding = call),
    hold() {
      isSilent = true
      for (const socket of open) socket.pause()
    },
    slow: (ms) => (delayMs = ms),
    answerInstead(status, body) {
      const head = `HTTP/1.1 ${status}\r\ncontent-type: text/html\r\nconnection: close\r\n`
      proxyAnswer = `${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
      for (const socket of open) socket.destroy()
    },
    mend() {
      proxyAnswer = ''
      isCut = false
      isLosing = false
      delayMs = 0
      holding = undefined
      for (const pass of held.splice(0)) pass()
      isSilent = false
      for (const socket of open) socket.resume()
    },
    async remove() {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
