import { connect } from 'node:net'
import type pg from 'pg'

const cancelRequest = 80_877_102
const waitMs = 2_000

/** Parts of the driver's client that its types leave out. */
interface Insides {
  readonly processID: number | null
  readonly secretKey: number | null
}

/**
 * When the connection is ended for its silence, the server is asked to end the statement too. It would go on otherwise:
 * a commit that waits for a standby keeps its process until one comes, and PostgreSQL has only so many.
 */
export function endStatementWhenSilent(client: pg.PoolClient): void {
  const { processID, secretKey } = client as pg.PoolClient & Insides
  const { host, port } = client as pg.PoolClient & pg.Client
  if (processID === null || secretKey === null) return
  // After our end is closed, so that no answer to the cancelled statement counts as a success.
  client.on('error', (error) => {
    if (!('code' in error) || error.code !== 'ETIMEDOUT') return
    const message = Buffer.alloc(16)
    for (const [place, word] of [message.length, cancelRequest, processID, secretKey].entries())
      message.writeInt32BE(word, place * 4)
    const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    // A server that is away has no statement left to end.
    socket.on('error', () => undefined).setTimeout(waitMs, () => socket.destroy())
    socket.end(message)
  })
}
