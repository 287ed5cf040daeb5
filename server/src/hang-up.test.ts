import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { isAlive, reportError } from '@cellarhand/contract/insights'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBareHttp } from '../test/bare-http.ts'
import { cloneDatabase, type ClonedDatabase } from '../test/database/cloned-database.ts'
import { eventually } from '../test/eventually.ts'
import { buildApp, type App } from './app.ts'
import { readConfig } from './platform/config.ts'
import { systemClock } from './platform/clock/system-clock.ts'
import { createHealthRecord } from './platform/outside/health.ts'
import { askedBy } from './platform/turns/asker.ts'
import { createTurns } from './platform/turns/turns.ts'

let database: ClonedDatabase
let app: App
let url: URL
let lines: { level: number; call?: string; status?: number; msg?: string }[]
beforeAll(async () => {
  database = await cloneDatabase()
  lines = []
  app = await buildApp({
    clock: systemClock,
    config: readConfig({ DEMO: '1', PORT: '0', DATA_DIR: database.dataDir }),
    database: database.address,
    log: pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) }),
  })
  url = new URL(await app.http.listen({ port: 0, host: '127.0.0.1' }))
})
afterAll(async () => {
  await app.close()
  await database.drop()
})

const connections = () =>
  new Promise<number>((resolve) => app.http.server.getConnections((_error, count) => resolve(count)))

test('a client that hangs up in the middle of its body is no failure of the database, nor any error', async () => {
  const call = '/marketplace/v1/orders'
  for (const end of ['destroy', 'resetAndDestroy'] as const) {
    lines.length = 0
    const socket = connect(Number(url.port), url.hostname)
    const head = [
      `POST ${call} HTTP/1.1`,
      'host: desk',
      `authorization: Basic ${btoa('marketplace:marketplace')}`,
      'content-type: application/json',
      'content-length: 1000',
    ].join('\r\n')
    const arrived = once(app.http.server, 'request')
    socket.write(`${head}\r\n\r\n{"merchant":`)
    await arrived
    socket[end]()
    await eventually(async () => expect(await connections()).toBe(0))
    await app.http.inject('/healthz')
    // On a busy machine the server's own work may wait too long for its first connection.
    const ofCalls = lines.filter(({ msg }) => msg !== 'background work failed')
    expect(ofCalls.filter(({ level, msg }) => level > 40 || msg === 'database away')).toEqual([])
  }
})

test('a client that does not read its answer is cut off, and one whose answer takes longer is not', async () => {
  const http = createBareHttp({ unreadAnswerMs: 100 })
  const slow = Promise.withResolvers<void>()
  http.serve(isAlive, async ({ request, reply }) => {
    const { asked = 'long' } = request.headers
    if (asked === 'long') return reply.type('text/plain').send('x'.repeat(64 * 1024 * 1024))
    if (asked === 'slow') await slow.promise
    return { status: 'ok' } as const
  })
  const { hostname, port, href } = new URL(await http.app.listen({ port: 0, host: '127.0.0.1' }))
  const taken = once(http.app.server, 'connection') as Promise<[Socket]>
  const reader = connect(Number(port), hostname).pause()
  reader.on('error', () => undefined).write('GET /healthz HTTP/1.1\r\nhost: desk\r\n\r\n')
  const [end] = await taken
  const closed = once(end, 'close')
  const ask = (asked: string) => fetch(new URL('/healthz', href), { headers: { asked } })
  // The slow one comes on the same connection, which has no limit any more.
  await (await ask('short')).text()
  const asked = ask('slow')
  await closed
  slow.resolve()
  expect((await asked).status).toBe(200)
  reader.destroy()
  await http.app.close()
})

test('a look whose caller hangs up leaves the line before its turn, and a change is made', async () => {
  const http = createBareHttp()
  const turns = createTurns({ places: 1, perKey: 1, waiting: 10, waitMs: 60_000 }, systemClock)
  const isFree = Promise.withResolvers<void>()
  const first = turns.run('shop', () => isFree.promise)
  let looks = 0
  http.serve(isAlive, async () => {
    await turns.run('shop', async () => void looks++)
    return { status: 'ok' } as const
  })
  const changed: string[] = []
  http.serve(reportError, async ({ body }) => {
    await turns.run('shop', async () => void changed.push(body.message))
    return {}
  })
  const { href } = new URL(await http.app.listen({ port: 0, host: '127.0.0.1' }))
  const hungUp = new AbortController()
  const { signal } = hungUp
  const headers = { 'content-type': 'application/json' }
  const report = { method: 'POST', body: JSON.stringify({ message: 'a fault' }), headers, signal }
  const asked = [
    fetch(new URL('/healthz', href), { signal }),
    fetch(new URL('/insights/v1/errors', href), report),
  ]
  await eventually(async () => expect(turns.waiting()).toBe(2))
  hungUp.abort()
  await Promise.allSettled(asked)
  await eventually(async () => expect(turns.waiting()).toBe(1))
  isFree.resolve()
  await first
  await eventually(async () => expect([looks, changed]).toEqual([0, ['a fault']]))
  await http.app.close()
})

test('what is noted about a provider is kept, though the caller who asked it hangs up and others of the same network are at work', async () => {
  const health = createHealthRecord(app.db, (error) => expect.fail(String(error)))
  const isOver = Promise.withResolvers<void>()
  const busy = Array.from({ length: 2 }, () =>
    askedBy('network 1', () => app.db.system(() => isOver.promise)),
  )
  await askedBy(
    'network 1',
    async () => {
      health.succeeded('Prismic')
      await health.settled()
    },
    (leave) => leave(),
  )
  const { rows } = await database.owner.query('select provider from provider_health')
  expect(rows).toEqual([{ provider: 'Prismic' }])
  isOver.resolve()
  await Promise.all(busy)
})

test('a caller who asks on and on without waiting for answers is cut off, and few of the answers are made', async () => {
  const errors: string[] = []
  const http = createBareHttp({
    logger: pino({ level: 'error' }, { write: (line: string) => void errors.push(line) }),
  })
  let begun = 0
  http.serve(isAlive, async () => {
    begun++
    return { status: 'ok' } as const
  })
  const { hostname, port } = new URL(await http.app.listen({ port: 0, host: '127.0.0.1' }))
  const ask = async (count: number, head = 'GET /healthz HTTP/1.1\r\nhost: desk') => {
    const caller = connect(Number(port), hostname)
    let text = ''
    caller.on('error', () => undefined).setEncoding('utf8')
    caller.on('data', (said: string) => {
      text += said
      if (text.split('HTTP/1.1 ').length > count) caller.destroy()
    })
    caller.write(`${head}\r\n\r\n`.repeat(count))
    await once(caller, 'close')
    return text.split('HTTP/1.1 ').length - 1
  }
  expect([await ask(10), begun]).toEqual([10, 10])
  begun = 0
  expect([await ask(700), begun <= 10]).toEqual([0, true])
  expect([await ask(10), errors]).toEqual([10, []])
  // Neither the framework's hooks nor its routes hear of these.
  for (const head of [
    'GET /%zz HTTP/1.1\r\nhost: desk',
    `GET /m/v2/orders/${'1'.repeat(300)} HTTP/1.1\r\nhost: desk`,
    'GET /healthz HTTP/1.1\r\nhost: desk\r\nexpect: wonders',
    'GET /healthz HTTP/1.1',
  ])
    expect(await ask(50, head), head).toBeLessThanOrEqual(1)
  await http.app.close()
})

test('a connection to somewhere else that breaks is our failure, and not that of the database', async () => {
  const http = createBareHttp()
  http.serve(isAlive, async () => {
    throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
  })
  const answer = await http.app.inject('/healthz')
  expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([500, 'internal'])
  await http.app.close()
})
