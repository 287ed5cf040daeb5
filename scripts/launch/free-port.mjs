import { randomInt } from 'node:crypto'
import net from 'node:net'

// Below the ports that systems give to connections and to `listen(0)`, so that no other program takes it meanwhile.
const FIRST = 10_000
const LAST = 29_999

/** A port of this machine that a program may be told to listen on. */
export async function freePort() {
  for (;;) {
    const port = randomInt(FIRST, LAST + 1)
    if (await isFree(port)) return port
  }
}

function isFree(port) {
  return new Promise((resolve) => {
    const probe = net.createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
