import { createHmac } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { marketplaceCredential, openTurnableDesk, type Shop, type TurnableDesk } from '../../test/desk.ts'
import { eventually } from '../../test/eventually.ts'
import { delayAfter } from './webhook-tries.ts'

interface Received {
  readonly path: string
  readonly headers: http.IncomingHttpHeaders
  readonly body: string
}

const key = Buffer.from('0123456789abcdef0123456789abcdef')
const secret = `whsec_${key.toString('base64')}`
let desk: TurnableDesk
let shop: Shop
let received: Received[]
let answer: (request: Received, count: number, response: http.ServerResponse) => void
let receiver: http.Server
let url: string

beforeAll(async () => {
  desk = await openTurnableDesk()
  receiver = http.createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => {
      const one = { path: request.url ?? '', headers: request.headers, body }
      received.push(one)
      answer(one, received.length, response)
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
})
afterAll(async () => {
  await desk.stop()
  receiver.closeAllConnections()
  receiver.close()
})
beforeEach(async () => {
  received = []
  answer = (_request, _count, response) => response.writeHead(204).end()
  shop = await desk.openShop()
  await register()
})
afterEach(async () => {
  await desk.owner.query('delete from webhook_endpoint')
  await desk.owner.query('update outbox set webhook_done_at = now() where webhook_done_at is null')
})

async function register(at = url): Promise<void> {
  const { status } = await desk.call('PUT /marketplace/v1/webhook', {
    as: marketplaceCredential,
    body: { url: at, secret },
  })
  expect(status).toBe(200)
}

interface OutboxRow {
  webhook_attempts: number
  webhook_error: string | null
  webhook_done_at: Date | null
  wait: number
}

async function outbox(): Promise<OutboxRow[]> {
  const { rows } = await desk.owner.query<OutboxRow>(
    `select webhook_attempts, webhook_error, webhook_done_at, extract(epoch from webhook_due_at - now())::float8 as wait
     from outbox where merchant_id = $1 order by event_id`,
    [shop.key],
  )
  return rows
}

const settled = (row: OutboxRow | undefined) => row?.webhook_done_at != null || row?.webhook_error != null

/** The next order's event shows that the loop has looked since. */
async function expectSentOnce(order: { readonly id: string }): Promise<void> {
  const next = await desk.order(shop)
  await desk.later(() => expect(received).toHaveLength(2))
  await untilSettled()
  expect(received.map(({ body }) => (JSON.parse(body) as { data: { id: string } }).data.id)).toEqual([
    order.id,
    next.id,
  ])
}

async function untilSettled(): Promise<OutboxRow[]> {
  return desk.later(async () => {
    const rows = await outbox()
    expect(rows.length > 0 && rows.every(settled)).toBe(true)
    return rows
  })
}

test('GAP-29 an event arrives once, with a signature that its receiver can check', async () => {
  const order = await desk.order(shop)
  const [row] = await untilSettled()
  expect(row?.webhook_error).toBeNull()
  expect(row?.webhook_attempts).toBe(1)
  // More rounds of the loop: a delivered event must not be sent again.
  await desk.turn(2_000)
  await expectSentOnce(order)

  const [event] = received
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = event?.headers ?? {}
  const expected = createHmac('sha256', key)
    .update(`${String(id)}.${String(at)}.${event?.body}`)
    .digest('base64')
  expect(signature).toBe(`v1,${expected}`)
  expect(Math.abs(Number(at) - Date.now() / 1000)).toBeLessThan(100)
  expect(event?.headers['content-type']).toContain('application/json')
  const { type, timestamp, data } = JSON.parse(event?.body ?? '') as {
    type: string
    timestamp: string
    data: object
  }
  expect(type).toBe('order.created')
  expect(Date.parse(timestamp)).toBeGreaterThan(Date.now() - 100_000)
  expect(data).toMatchObject({ id: order.id, merchant: shop.key, status: 'SUBMITTED', version: 1 })
})

test('a rolled-back change sends nothing', async () => {
  const order = await desk.order(shop)
  await untilSettled()
  const { status } = await desk.call('POST /marketplace/v1/orders/{id}/status', {
    as: marketplaceCredential,
    params: { id: order.id },
    body: { status: 'REFUNDED' },
  })
  expect(status).toBe(409)
  await expect(
    desk.app.db.write(shop.key, async ({ query }) => {
      await query("insert into outbox (merchant_id, kind, payload) values ($1, 'order.updated', '{}')", [
        shop.key,
      ])
      throw new Error('changed my mind')
    }),
  ).rejects.toThrow('changed my mind')
  await expectSentOnce(order)
})

test('a refused event is tried again with the same id, after the scheduled time', async () => {
  answer = (_request, count, response) => response.writeHead(count === 1 ? 500 : 200).end()
  await desk.order(shop)
  const [first] = await untilSettled()
  expect(first).toMatchObject({
    webhook_attempts: 1,
    webhook_error: 'The receiver answered 500',
    webhook_done_at: null,
  })
  expect(first?.wait).toBeGreaterThan(-10)
  expect(first?.wait).toBeLessThan(6)
  await desk.later(async () => expect((await outbox())[0]?.webhook_done_at).not.toBeNull())
  expect(received).toHaveLength(2)
  expect(received[1]?.headers['webhook-id']).toBe(received[0]?.headers['webhook-id'])
  expect(received[1]?.body).toBe(received[0]?.body)
  expect((await outbox())[0]?.webhook_error).toBeNull()
})

test("the server waits for the receiver's Retry-After", async () => {
  answer = (_request, _count, response) => response.writeHead(429, { 'retry-after': '600' }).end()
  await desk.order(shop)
  const [row] = await untilSettled()
  expect(row?.wait).toBeGreaterThan(570)
})

test('a redirect is not followed', async () => {
  answer = (_request, _count, response) => response.writeHead(302, { location: `${url}/elsewhere` }).end()
  await desk.order(shop)
  const [row] = await untilSettled()
  expect(row?.webhook_error).toBe('The receiver answered 302')
  expect(received.map(({ path }) => path)).toEqual(['/hook'])
})

test('410 ends the registration until the next one, which gets all that happened in between', async () => {
  answer = (_request, _count, response) => response.writeHead(410).end()
  const first = await desk.order(shop)
  await untilSettled()
  const { rows } = await desk.owner.query(
    'select disabled_because from webhook_endpoint where disabled_at is not null',
  )
  expect(rows).toEqual([{ disabled_because: 'The receiver answered 410 Gone' }])
  const second = await desk.order(shop)
  // Published: it has its number and is due.
  await desk.later(async () => expect((await outbox())[1]?.wait).toBeLessThanOrEqual(0))
  expect(received).toHaveLength(1)

  received = []
  answer = (_request, _count, response) => response.writeHead(200).end()
  await register()
  const third = await desk.order(shop)
  await desk.later(() => expect(received).toHaveLength(3))
  const told = received.map(({ body }) => (JSON.parse(body) as { data: { id: string } }).data.id)
  expect(told.toSorted()).toEqual([first.id, second.id, third.id].toSorted())
  // The answer was about the receiver, so it was no try. The outcome is stored after the receiver has its event.
  await eventually(async () =>
    expect((await outbox())[0]).toMatchObject({ webhook_attempts: 1, webhook_error: null }),
  )
})

test('a late 410 of an earlier registration leaves the newer one on, which gets the event', async () => {
  const held: http.ServerResponse[] = []
  answer = (_request, _count, response) => void held.push(response)
  const order = await desk.order(shop)
  await desk.later(() => expect(held).toHaveLength(1))
  // The receiver goes, and comes back at the same address before its last answer has arrived.
  await register()
  answer = (_request, _count, response) => response.writeHead(204).end()
  held[0]?.writeHead(410).end()
  await desk.later(() => expect(received).toHaveLength(2))
  expect(received[1]?.headers['webhook-id']).toBe(received[0]?.headers['webhook-id'])
  expect(JSON.parse(received[1]?.body ?? '')).toMatchObject({ data: { id: order.id } })
  const { body } = await desk.call('GET /marketplace/v1/webhook', { as: marketplaceCredential })
  expect(body).toMatchObject({ status: 'active', switched_off_because: null })
})

test('events of one order arrive in sequence, and other orders’ events do not wait for a slow one', async () => {
  const slow = await desk.order(shop)
  await untilSettled()
  received = []
  // The receiver answers nothing about this order before it has another order's event.
  const held: (() => void)[] = []
  let isHolding = true
  answer = ({ body }, _count, response) => {
    const end = (): void => void response.writeHead(200).end()
    if (isHolding && body.includes(slow.id)) return void held.push(end)
    isHolding = false
    for (const each of [end, ...held.splice(0)]) each()
  }
  for (const status of ['MERCHANT_ACCEPTED'] as const)
    await desk.call('PUT /m/v2/orders/{id}', { as: shop.owner, params: { id: slow.id }, body: { status } })
  for (const status of ['PAYMENT_SUBMITTED', 'PAYMENT_APPROVED'])
    await desk.call('POST /marketplace/v1/orders/{id}/status', {
      as: marketplaceCredential,
      params: { id: slow.id },
      body: { status },
    })
  const quick = await desk.order(shop)
  await eventually(() => expect(received).toHaveLength(4))
  const events = received.map(
    ({ body }) => (JSON.parse(body) as { data: { id: string; version: number } }).data,
  )
  expect(events.filter(({ id }) => id === slow.id).map(({ version }) => version)).toEqual([2, 3, 4])
  expect(events.findIndex(({ id }) => id === quick.id)).toBeLessThan(3)
})

test('a silent receiver keeps nobody else from the order’s news', async () => {
  answer = () => undefined
  const order = await desk.order(shop)
  await desk.later(() => expect(received).toHaveLength(1))
  const [row] = (
    await desk.owner.query<{ position: number | null }>(
      'select position from outbox where merchant_id = $1',
      [shop.key],
    )
  ).rows
  expect(row?.position).not.toBeNull()
  const read = await desk.call('GET /m/v2/orders/{id}', { as: shop.member, params: { id: order.id } })
  expect(read.status).toBe(200)
  receiver.closeAllConnections()
  const [after] = await untilSettled()
  expect(after?.webhook_error).not.toBeNull()
})

test('the waits grow as Standard Webhooks recommends, and end after ten tries', () => {
  const hours = (attempts: number) => (delayAfter(attempts, undefined) ?? 0) / 3_600_000
  expect(hours(1) * 3600).toBeCloseTo(5, 0)
  expect(hours(4)).toBeGreaterThan(1.7)
  expect(hours(4)).toBeLessThan(2.3)
  expect(hours(9)).toBeGreaterThan(21)
  expect(delayAfter(10, undefined)).toBeUndefined()
  expect(delayAfter(1, 0)).toBeGreaterThan(4_000)
  expect(delayAfter(1, 90_000)).toBe(90_000)
})
