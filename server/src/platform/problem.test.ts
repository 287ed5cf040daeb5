import { Writable } from 'node:stream'
import { isAlive } from '@cellarhand/contract/insights'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBareHttp } from '../../test/bare-http.ts'
import { marketplaceCredential, openDesk, type Desk, type Shop } from '../../test/desk.ts'
import { anOrder } from '../../test/orders.ts'
import { systemClock } from './clock/system-clock.ts'
import { createLulls, type Lulls } from './turns/lulls.ts'

let desk: Desk
let behindProxy: Desk
let shop: Shop
beforeAll(async () => {
  desk = await openDesk()
  behindProxy = await desk.another({ TRUST_PROXY: '1' })
  shop = await desk.openShop()
})
afterAll(() => desk.stop())

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const asked = (at: Desk, path: string, id: string) =>
  at.send('GET', path, { headers: { 'x-request-id': id } })
const idOf = ({ headers }: { headers: Headers }) => headers.get('x-request-id')

test('every answer names its request: a page, a file, a call, a refusal, an unknown address', async () => {
  const ids = await Promise.all(
    ['/', '/healthz', '/docs/openapi.json', '/m/v2/orders/1', '/nope', '/m/v2/orders/%'].map(async (path) =>
      idOf(await desk.send('GET', path)),
    ),
  )
  for (const id of ids) expect(id).toMatch(uuid)
  expect(new Set(ids).size).toBe(ids.length)
})

test('the id of a trusted proxy is kept, and nobody else may choose one', async () => {
  for (const path of ['/healthz', '/m/v2/orders/1', '/m/v2/orders/%'])
    expect(idOf(await asked(behindProxy, path, 'from-the-proxy.1'))).toBe('from-the-proxy.1')
  for (const odd of ['two words', 'a,b', '<script>', '"', 'x'.repeat(129), 'é'])
    expect(idOf(await asked(behindProxy, '/healthz', odd))).toMatch(uuid)
  expect(idOf(await asked(desk, '/healthz', 'from-a-stranger'))).toMatch(uuid)
})

test.each([
  [['10.0.0.0/8'], '10.1.2.3', true],
  [['10.0.0.0/8'], '::ffff:10.1.2.3', true],
  [['10.0.0.0/8'], '11.1.2.3', false],
  [['203.0.113.7'], '203.0.113.7', true],
  [['2001:db8::/32'], '2001:db8::1', true],
  [['loopback', 'linklocal', 'uniquelocal'], 'fd00::1', true],
  [['loopback', 'linklocal', 'uniquelocal'], '198.51.100.1', false],
  [[], '127.0.0.1', false],
])('of the proxies %j, the one at %s is trusted: %s', async (trustProxy, remoteAddress, isTrusted) => {
  const { http } = loggedHttp(trustProxy)
  const answer = await http.app.inject({
    url: '/healthz',
    remoteAddress,
    headers: { 'x-request-id': 'given' },
  })
  expect(answer.headers['x-request-id'] === 'given').toBe(isTrusted)
  await http.app.close()
})

function loggedHttp(trustProxy: readonly string[], lulls?: Lulls) {
  const lines: Record<string, unknown>[] = []
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(JSON.parse(String(chunk)) as Record<string, unknown>)
      done()
    },
  })
  const http = createBareHttp({ lulls, logger: pino({ level: 'info' }, stream), trustProxy })
  http.serve(isAlive, async () => ({ status: 'ok' }) as never)
  return { http, lines }
}

test("the log's line of a request has the id that its answer has", async () => {
  const { http, lines } = loggedHttp([])
  const answer = await http.app.inject('/healthz')
  expect(lines).toMatchObject([
    { call: 'GET /healthz', status: 200, reqId: answer.headers['x-request-id'] as string },
  ])
  await http.app.close()
})

test('GAP-156 a refusal is a problem of RFC 9457 beside the specified fields', async () => {
  const answer = await desk.call('POST /marketplace/v1/orders', {
    as: marketplaceCredential,
    body: anOrder('nobody'),
  })
  expect(answer.refusal).toEqual({
    message: 'Please check the marked fields and try again.',
    code: 'validation_failed',
    errors: { merchant: 'No merchant has this key' },
    type: '/docs/merchant-api#validation_failed',
    title: 'Please check the marked fields and try again.',
    status: 400,
    detail: 'Please check the marked fields and try again.',
    instance: idOf(answer),
  })
})

test('the title is the usual sentence of the code, and the detail says what happened here', async () => {
  const body = `{"a":${'['.repeat(200)}${']'.repeat(200)}}`
  const { refusal } = await desk.send('POST', '/insights/v1/errors', { body })
  expect([refusal.code, refusal['title'], refusal['detail'], refusal.message]).toEqual([
    'malformed_body',
    'The request body is not valid JSON.',
    'The request body is nested too deeply.',
    'The request body is nested too deeply.',
  ])
})

test('a refusal is sent as application/json, and as application/problem+json to a client that names that type', async () => {
  const typeOf = async (accept: string, path = '/m/v2/orders/1') => {
    const answer = await desk.send('GET', path, { as: shop.owner, headers: { accept } })
    expect(answer.refusal.code).toBe('not_found')
    return answer.headers.get('content-type')
  }
  for (const accept of ['', '*/*', 'application/json', 'application/*'])
    expect(await typeOf(accept)).toBe('application/json; charset=utf-8')
  for (const accept of ['application/problem+json', 'application/json, application/problem+json;q=0.9'])
    expect(await typeOf(accept)).toBe('application/problem+json; charset=utf-8')
  expect(await typeOf('application/problem+json', '/nope')).toBe('application/problem+json; charset=utf-8')
})

test('work that can wait is held while a request is answered', async () => {
  const { http } = loggedHttp([], createLulls(systemClock))
  const told: boolean[] = []
  let heldWhileServed: boolean | undefined
  http.lulls?.during((isHeld) => void told.push(isHeld))
  http.app.addHook('preHandler', async () => void (heldWhileServed = told.at(-1)))
  const origin = await http.app.listen({ host: '127.0.0.1', port: 0 })
  await (await fetch(`${origin}/healthz`)).text()
  expect(heldWhileServed).toBe(true)
  await expect.poll(() => told).toEqual([true, false])
  await http.app.close()
})
