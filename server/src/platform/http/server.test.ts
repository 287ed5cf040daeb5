import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openDesk, openTurnableDesk, type Desk, type Shop } from '../../../test/desk.ts'
import { listen } from '../../../test/event-reader.ts'
import { eventually } from '../../../test/eventually.ts'

let desk: Desk
let shop: Shop
const sockets: Socket[] = []
beforeEach(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

async function dial(text = ''): Promise<Socket> {
  const { hostname, port } = new URL(desk.url)
  const socket = connect(Number(port), hostname)
  sockets.push(socket)
  socket.on('error', () => undefined)
  await new Promise((resolve) => socket.once('connect', resolve))
  if (text !== '') socket.write(text)
  return socket
}

async function hearOut(socket: Socket): Promise<string> {
  let heard = ''
  for await (const chunk of socket) heard += String(chunk)
  return heard
}

describe('stopping', () => {
  test('waits neither for connections without a request nor for open dashboards', async () => {
    await Promise.all(Array.from({ length: 5 }, () => dial()))
    const stream = await listen(desk, { key: shop.key, as: shop.member })
    await desk.stop()
    await stream.ended
  })

  test('waits neither for a request that never ends nor for a client that never reads', async () => {
    await desk.stop()
    const turned = await openTurnableDesk()
    desk = turned
    const begun = new Promise((resolve) => desk.app.http.server.once('request', resolve))
    await dial(
      'POST /insights/v1/errors HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{',
    )
    await begun
    await dial('POST /insights/v1/err')
    const taken = once(desk.app.http.server, 'connection') as Promise<[Socket]>
    const reader = await dial()
    reader.pause()
    const [end] = await taken
    // One after the other, because a caller who asks far ahead is cut off.
    await eventually(() => {
      if (end.writableLength === 0) reader.write('GET /docs/openapi.json HTTP/1.1\r\nhost: x\r\n\r\n')
      expect(end.writableLength).toBeGreaterThan(0)
    }, 100)
    await turned.passing(desk.stop())
  })

  test('waits for a request under way, and answers it', async () => {
    const order = await desk.order(shop)
    const client = await desk.owner.connect()
    await client.query('begin')
    await client.query('lock table order_counts in access exclusive mode')
    const answer = desk.call('PUT /m/v2/orders/{id}', {
      as: shop.member,
      params: { id: order.id },
      body: { status: 'MERCHANT_ACCEPTED' },
    })
    let isWaiting = false
    while (!isWaiting) {
      const { rows } = await desk.owner.query(
        `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      )
      isWaiting = rows.length > 0
    }
    const stopped = desk.app.close()
    await client.query('commit')
    client.release()
    const { status, body } = await answer
    expect([status, body.status]).toEqual([200, 'MERCHANT_ACCEPTED'])
    await stopped
  })
})

test.each([
  '/%zz',
  '/m/v2/orders/%',
  '/m/v2/orders/%00',
  `/m/v2/orders/${'1'.repeat(300)}`,
  '//',
  '/m/v2/orders/1/../2',
  '/constructor',
  '/M/V2/ORDERS/1',
])('an address that is none is not found: %s', async (path) => {
  const heard = await hearOut(
    await dial(
      `GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${shop.owner.token}\r\nconnection: close\r\n\r\n`,
    ),
  )
  expect(heard).toMatch(/^HTTP\/1\.1 4\d\d /)
  const [, id] = /\r\nx-request-id: (\S+)\r\n/.exec(heard) ?? []
  expect(JSON.parse(heard.slice(heard.indexOf('\r\n\r\n')))).toMatchObject({
    message: expect.any(String),
    code: expect.any(String),
    instance: id ?? 'an id',
  })
  await desk.stop()
})

test.each([
  ['was signed out', 401, 'update sessions set ended_at = now() where user_id = $1'],
  ['lost the right', 403, `update users set roles = '{merch.user}' where user_id = $1`],
])('a body that arrives after its sender %s changes nothing', async (_what, status, end) => {
  const { key, manager } = shop
  const body = JSON.stringify({ primary_contact_name: 'Eve' })
  const begun = new Promise((resolve) => desk.app.http.server.once('request', resolve))
  const socket = await dial(
    [
      `POST /c/v2/merchants/${key}/data HTTP/1.1`,
      'host: x',
      `authorization: Bearer ${manager.token}`,
      'content-type: application/json',
      `content-length: ${body.length}`,
      'connection: close',
      '\r\n',
    ].join('\r\n'),
  )
  // The head alone counts as a request. Once a later request has its answer, the server has taken this one.
  await begun
  expect((await desk.call('GET /a/v2/sessions', { as: manager })).status).toBe(200)
  await desk.owner.query(end, [manager.id])
  socket.write(body)
  expect(await hearOut(socket)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  const { rows } = await desk.owner.query(
    `select contacts ->> 'primary_contact_name' as name from merchants where merchant_id = $1`,
    [key],
  )
  expect(rows).toEqual([{ name: null }])
  await desk.stop()
})

test('a body that takes longer than half a minute gets a 408, while an event stream continues', async () => {
  const { server } = desk.app.http
  expect([server.headersTimeout, server.requestTimeout]).toEqual([30_000, 30_000])
  const stream = await listen(desk, { key: shop.key, as: shop.member })
  // Short limits, so that the tests do not wait for the real ones.
  const limitTo = (ms: number) => Object.assign(server, { headersTimeout: ms, requestTimeout: ms })
  limitTo(1)
  const heard = await hearOut(
    await dial(
      'POST /insights/v1/errors HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{',
    ),
  )
  expect(heard).toMatch(/^HTTP\/1\.1 408 /)
  expect(JSON.parse(heard.slice(heard.indexOf('\r\n\r\n')))).toMatchObject({ code: 'request_timeout' })
  limitTo(30_000)
  const order = await desk.order(shop)
  await stream.next(({ data }) => JSON.stringify(data).includes(order.id))
  await desk.stop()
})

test('an address without a route is answered without reading the body', async () => {
  const broken = await desk.send('POST', '/nope', { body: '{'.repeat(900_000) })
  expect([broken.status, broken.refusal.code]).toEqual([404, 'not_found'])
  const socket = await dial('POST /nope HTTP/1.1\r\nhost: x\r\ncontent-length: 900000\r\n\r\n{')
  const [first] = (await once(socket, 'data')) as [Buffer]
  expect(first.toString()).toMatch(/^HTTP\/1\.1 404 /)
  await desk.stop()
})

test.each([
  ['no HTTP at all', 'hello\r\n\r\n'],
  ['a header without end', `GET /healthz HTTP/1.1\r\nhost: x\r\nx: ${'a'.repeat(20_000)}`],
  [
    'two lengths',
    'POST /insights/v1/errors HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{}',
  ],
  [
    'a length and chunks',
    'POST /insights/v1/errors HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
])('%s is a 4xx in the words of every other refusal', async (_name, text) => {
  const heard = await hearOut(await dial(text))
  expect(heard).toMatch(/^HTTP\/1\.1 4\d\d /)
  const [, id] = /\r\nx-request-id: (\S+)\r\n/.exec(heard) ?? []
  expect(JSON.parse(heard.slice(heard.indexOf('\r\n\r\n')))).toEqual({
    message: expect.any(String),
    code: expect.any(String),
    type: expect.stringMatching(/^\/docs\/merchant-api#\w+$/),
    title: expect.any(String),
    status: Number(heard.slice(9, 12)),
    detail: expect.any(String),
    instance: id,
  })
  await desk.stop()
})
