import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { liveSettings } from '../../test/desk.ts'
import { startFile } from '../../test/processes/run-command.ts'
import { explainStartFailure } from './start-failure.ts'

/** What a server says that starts with this in its database's place. */
async function saidBeside(answer: (socket: Socket) => void): Promise<{ code: number | null; err: string }> {
  const database = createServer((socket) => {
    socket.on('error', () => undefined)
    // The driver's first message.
    socket.once('data', () => answer(socket))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void database.close())
  await once(database, 'listening')
  const { port } = database.address() as AddressInfo
  const { ended } = startFile('main.ts', {
    env: { ...liveSettings, DEMO: '0', DATABASE_URL: `postgres://desk:x@127.0.0.1:${port}/desk` },
  })
  const { code, err } = await ended
  return { code, err }
}

/** PostgreSQL's ErrorResponse. */
function errorResponse(state: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${state}\0M${message}\0\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

const notReady = (said: string) => ({
  code: 1,
  err: `Cellarhand could not start. The database at DATABASE_URL is not ready: ${said}. If it is starting or full, or the proxy before it has no primary, start again once that is over; systemd does so by itself.\n`,
})

test('a start says in a sentence that the proxy before the database closes the connection, since no primary is there', async () => {
  expect(await saidBeside((socket) => socket.destroy())).toEqual(
    notReady('Connection terminated unexpectedly'),
  )
})

// A proxy that refuses for good has the same code as one that is busy, so its own words are there.
test.each([
  ['57P03', 'the database system is starting up'],
  ['53300', 'sorry, too many clients already'],
  ['08P01', 'unsupported startup parameter: options'],
])('a start says in a sentence that the database answers %s, and its words', async (state, message) => {
  expect(await saidBeside((socket) => socket.end(errorResponse(state, message)))).toEqual(notReady(message))
})

test.each(['/nowhere/ca.pem', '/'])(
  'a start names the file %s that the connection needs and that cannot be read',
  async (file) => {
    const { ended } = startFile('main.ts', {
      env: { ...liveSettings, DATABASE_URL: `postgres://desk:x@127.0.0.1:1/desk?sslrootcert=${file}` },
    })
    const { code, err } = await ended
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^Cellarhand could not start\. A file or folder cannot be read[^\n]*\n$/),
    ])
  },
)

test('a socket of the database that this user may not open is no matter of the port', () => {
  const refused = Object.assign(new Error('connect EACCES /run/postgresql/.s.PGSQL.5432'), { code: 'EACCES' })
  const connecting = Object.assign(refused, { syscall: 'connect' })
  expect(explainStartFailure(new Error('no connection', { cause: connecting }))).toMatch(
    /This user may not open the socket in DATABASE_URL/,
  )
})
