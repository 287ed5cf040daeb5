import { createHash, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { liveApplicationCredential, liveSettings, openDesk, type Desk, type Shop } from '../../test/desk.ts'
import { startLoopback, type Loopback } from '../../test/processes/loopback.ts'

let sentry: Loopback
let segment: Loopback
let receiver: Loopback
let desk: Desk
let shop: Shop
let dsn: string

beforeAll(async () => {
  sentry = await startLoopback(() => ({ json: { id: '1' } }))
  segment = await startLoopback(() => ({ json: { success: true } }))
  receiver = await startLoopback(() => ({ json: {} }))
  dsn = `${sentry.url.replace('//', '//publickey@')}/7`
  desk = await openDesk({
    SENTRY_DSN: dsn,
    SEGMENT_URL: segment.url,
    SEGMENT_WRITE_KEY: 'write-key',
    ERROR_REPORT_URL: `${receiver.url}/hook`,
    RELEASE: 'cellarhand-1',
  })
  shop = await desk.openShop()
})
afterAll(async () => {
  await desk.stop()
  for (const each of [sentry, segment, receiver]) await each.stop()
})
afterEach(() => {
  for (const each of [sentry, segment, receiver]) each.requests.length = 0
})

/** The names that Prometheus would store. */
async function scrape(): Promise<string> {
  const answer = await desk.call('GET /metrics')
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ])
  return answer.text
}

test('metrics give times by call of the contract and waiting work, and nothing about any merchant', async () => {
  const order = await desk.order(shop)
  await desk.call('GET /m/v2/orders/{id}', { as: shop.member, params: { id: order.id } })
  await desk.send('GET', '/no/such/page')
  const text = await scrape()
  expect(text).toContain(
    'cellarhand_http_request_duration_seconds_count{call="GET /m/v2/orders/{id}",status="200"} 1',
  )
  expect(text).toMatch(/cellarhand_http_request_duration_seconds_count\{call="other",status="404"\} [1-9]/)
  for (const line of [
    /^cellarhand_database_up 1$/m,
    /^cellarhand_mails_waiting \d+$/m,
    /^process_cpu_seconds_total /m,
  ])
    expect(text).toMatch(line)
  for (const secret of [shop.key, `/${order.id}`, order.thirstie_logistic_order_ref, shop.member.email])
    expect(text).not.toContain(secret)
})

describe('SEC-9 the metrics of a shop', () => {
  const credential = 'prometheus:a-secret-of-these-tests-alone'
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

  test('are told with their credential alone', async () => {
    const live = await openDesk({ ...liveSettings, METRICS_CREDENTIAL: credential })
    try {
      const metrics = async (as?: string) => live.call('GET /metrics', { as })
      for (const as of [undefined, basic('prometheus:x'), liveApplicationCredential, basic('')]) {
        const { status, refusal, text } = await metrics(as)
        expect([status, refusal.code]).toEqual([401, 'bad_client_credential'])
        expect(text).not.toContain('cellarhand_')
      }
      expect((await metrics(basic(credential))).text).toContain('cellarhand_database_up 1')
    } finally {
      await live.stop()
    }
  })

  test('are told to nobody without one, who is told what to set', async () => {
    const live = await openDesk(liveSettings)
    try {
      for (const as of [undefined, basic('open'), basic('undefined')]) {
        const { status, refusal } = await live.call('GET /metrics', { as })
        expect([status, refusal.code]).toEqual([401, 'bad_client_credential'])
        expect(refusal.message).toContain('METRICS_CREDENTIAL')
      }
    } finally {
      await live.stop()
    }
  })
})

test('SEC-9 fifty that ask at once are answered by a few looks at the database', async () => {
  const texts = await Promise.all(Array.from({ length: 50 }, scrape))
  expect(new Set(texts).size).toBeLessThan(5)
})

test('the ready dashboard asks for no metric that does not exist', async () => {
  const file = new URL('../../../ops/grafana-dashboard.json', import.meta.url)
  const dashboard = JSON.parse(await readFile(file, 'utf8')) as {
    panels: { targets?: { expr: string }[] }[]
  }
  const asked = dashboard.panels.flatMap(({ targets = [] }) =>
    targets.flatMap(({ expr }) => expr.match(/\b(cellarhand|process|nodejs)_\w+/g) ?? []),
  )
  expect(asked.length).toBeGreaterThan(8)
  const text = await scrape()
  const known = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map((match) => match[1]))
  for (const name of asked)
    expect([name, known.has(name.replace(/_(bucket|count|sum)$/, ''))]).toEqual([name, true])
})

test('TELE-006 TELE-007 a failure of the dashboard is counted and forwarded, without personal data', async () => {
  const body = {
    message: 'TypeError: cannot read dee@example.com of +1 (212) 555-0123',
    stack: 'at render (https://desk.example/assets/desk.js?token=secret:1:2)\n at dee@example.com',
    path: '/orders/view/1000326?as=dee',
    user: 'a'.repeat(64),
    time: '2026-11-21T12:00:00Z',
  }
  expect((await desk.call('POST /insights/v1/errors', { body })).status).toBe(202)
  await expect.poll(() => receiver.requests.length).toBe(1)
  const report = receiver.requests[0]
  expect(report?.path).toBe('/hook')
  expect(report?.json).toMatchObject({ path: '/orders/view/…', user: body.user, time: body.time })
  for (const secret of ['dee', '555', 'secret', '1000326']) expect(report?.text).not.toContain(secret)
  // They are kept for some seconds.
  await expect.poll(scrape, { timeout: 60_000 }).toMatch(/^cellarhand_client_errors_total 1$/m)
})

test('reports beyond sixty in ten minutes are accepted and dropped', async () => {
  for (let sent = 0; sent < 64; sent++)
    expect((await desk.call('POST /insights/v1/errors', { body: { message: `m${sent}` } })).status).toBe(202)
  expect(receiver.requests.length).toBeLessThanOrEqual(60)
  await desk.owner.query('delete from rate_limits')
})

test('TELE-006 TELE-007 an unforeseen error reaches Sentry with its call, and without any of the request', async () => {
  await desk.owner.query('alter table documents rename to documents_away')
  try {
    const answer = await desk.send('GET', '/v1/documents/welcome_message', {
      as: shop.member,
      headers: { 'user-agent': 'dee@example.com' },
    })
    expect(answer.status).toBe(500)
  } finally {
    await desk.owner.query('alter table documents_away rename to documents')
  }
  const reports = () => sentry.about('GET /v1/documents/{name}')
  await expect.poll(() => reports().length).toBe(1)
  const [envelope] = reports()
  expect(envelope?.path).toBe('/api/7/envelope/')
  const event = JSON.parse(envelope?.text.split('\n')[2] ?? '{}') as Record<string, never>
  expect(event).toMatchObject({ release: 'cellarhand-1', tags: { call: 'GET /v1/documents/{name}' } })
  expect(event['exception']).toMatchObject({ values: [{ value: expect.stringContaining('documents') }] })
  for (const field of ['request', 'user', 'breadcrumbs', 'extra', 'server_name'])
    expect([field, event[field]]).toEqual([field, undefined])
  for (const secret of ['dee@example.com', shop.member.token, shop.key])
    expect(envelope?.text).not.toContain(secret)
})

test('a refusal is no error, and Sentry hears nothing of it', async () => {
  await desk.call('GET /m/v2/orders/{id}', { as: shop.member, params: { id: '1' } })
  await desk.send('GET', '/c/v2/merchants/x', {})
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(sentry.about('"call"')).toEqual([])
})

test('an envelope of the dashboard is forwarded to our project at Sentry, and to no other', async () => {
  const envelope = (to: string) =>
    `${JSON.stringify({ dsn: to, sent_at: 'now' })}\n{"type":"event"}\n{"message":"x"}`
  const send = (text: string) => desk.call('POST /insights/v1/envelopes', { body: { envelope: text } })
  expect((await send(envelope(dsn))).status).toBe(202)
  expect(sentry.requests.map(({ path, query, text }) => [path, query.get('sentry_key'), text])).toEqual([
    ['/api/7/envelope/', 'publickey', envelope(dsn)],
  ])
  expect((await send('{"event_id":"1"}\n{}')).status).toBe(202)
  for (const foreign of [envelope(`${segment.url}/7`), 'no json', '[]', ''])
    expect((await send(foreign)).status).toBe(404)
  expect(segment.requests).toEqual([])
})

test('TELE-003 TELE-004 events of the dashboard go to the analytics service by Segment’s specification, with the user hashed', async () => {
  const time = '2026-11-21T12:00:00Z'
  const events = [
    { event: 'Page View', message_id: randomUUID(), time, properties: { path: '/inventory' } },
    { event: 'Print Receipt', message_id: randomUUID(), time, properties: {} },
  ]
  segment.next({ status: 502, text: '<html>' })
  const answer = await desk.call('POST /insights/v1/events', { as: shop.member, body: { events } })
  expect(answer.status).toBe(202)
  await expect.poll(() => segment.requests.length).toBe(2)
  const [, request] = segment.requests
  expect(request?.headers.authorization).toBe(`Basic ${Buffer.from('write-key:').toString('base64')}`)
  const userId = createHash('sha256').update(shop.member.id).digest('hex')
  expect(request?.json).toMatchObject({
    batch: [
      { type: 'page', name: '/inventory', userId, messageId: events[0]?.message_id, timestamp: time },
      { type: 'track', event: 'Print Receipt', userId, messageId: events[1]?.message_id },
    ],
  })
  for (const secret of [shop.member.id, shop.member.email]) expect(request?.text).not.toContain(secret)
  expect((await desk.call('POST /insights/v1/events', { body: { events } })).status).toBe(401)
  const tooMany = Array.from({ length: 51 }, () => events[1])
  expect(
    (await desk.call('POST /insights/v1/events', { as: shop.member, body: { events: tooMany } })).status,
  ).toBe(400)
})
