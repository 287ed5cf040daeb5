import { createHmac } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { marketplaceCredential, openTurnableDesk, type Shop, type TurnableDesk } from '../../test/desk.ts'

interface Received {
  readonly headers: http.IncomingHttpHeaders
  readonly body: string
}

const hourMs = 3_600_000
const secretOf = (letter: string) => `whsec_${Buffer.alloc(32, letter).toString('base64')}`
let desk: TurnableDesk
let shop: Shop
let received: Received[]
let answer: (response: http.ServerResponse) => void
let receiver: http.Server
let url: string

beforeAll(async () => {
  desk = await openTurnableDesk()
  shop = await desk.openShop()
  receiver = http.createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => {
      received.push({ headers: request.headers, body })
      answer(response)
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
  answer = (response) => response.writeHead(204).end()
  await desk.owner.query('delete from webhook_endpoint')
  await desk.owner.query('delete from outbox')
})

const register = async (letter: string, hours?: number) => {
  const body = {
    url,
    secret: secretOf(letter),
    ...(hours === undefined ? {} : { keep_previous_secret_hours: hours }),
  }
  return desk.call('PUT /marketplace/v1/webhook', { as: marketplaceCredential, body })
}
const read = () => desk.call('GET /marketplace/v1/webhook', { as: marketplaceCredential })

/** The letters of the secrets that sign the next event, in their order. */
async function signers(): Promise<string> {
  const order = await desk.order(shop)
  const event = await desk.later(() => {
    const found = received.find(({ body }) => body.includes(`"${order.id}"`))
    expect(found).toBeDefined()
    return found
  })
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': header } = event?.headers ?? {}
  return String(header)
    .split(' ')
    .map((signature) =>
      ['a', 'b', 'c'].find(
        (letter) =>
          signature ===
          `v1,${createHmac('sha256', Buffer.alloc(32, letter))
            .update(`${String(id)}.${String(at)}.${event?.body}`)
            .digest('base64')}`,
      ),
    )
    .join('')
}

test('GAP-29 a new secret replaces the old one at once, unless the marketplace asks for an overlap', async () => {
  await register('a')
  expect(await signers()).toBe('a')
  await register('b')
  expect(await signers()).toBe('b')
  expect((await read()).body.previous_secret_until).toBeNull()
})

test('GAP-29 during a rotation both secrets sign, and after it the new one alone', async () => {
  await register('a')
  await register('b', 24)
  expect(await signers()).toBe('ba')
  const until = (await read()).body.previous_secret_until
  expect(Math.abs(Date.parse(until ?? '') - desk.clock.nowMs() - 24 * hourMs)).toBeLessThan(hourMs)
  await desk.turn(25 * hourMs)
  expect(await signers()).toBe('b')
  expect((await read()).body.previous_secret_until).toBeNull()
})

test('GAP-29 a rotation whose answer was lost can be sent again, and ended early', async () => {
  await register('a')
  await register('b', 24)
  await register('b', 24)
  expect(await signers()).toBe('ba')
  await register('b')
  expect(await signers()).toBe('ba')
  await register('b', 0)
  expect(await signers()).toBe('b')
  await register('a', 1)
  await register('c', 1)
  expect(await signers()).toBe('ca')
})

test('GAP-29 a program that sends the same rotation at each of its starts makes the old secret no longer valid than it said at first', async () => {
  await register('a')
  await register('b', 24)
  const until = (await read()).body.previous_secret_until
  await desk.turn(20 * hourMs)
  await register('b', 24)
  expect((await read()).body.previous_secret_until).toBe(until)
  expect(await signers()).toBe('ba')
  await desk.turn(5 * hourMs)
  expect(await signers()).toBe('b')
  await register('b', 24)
  expect(await signers()).toBe('b')
  const { rows } = await desk.owner.query('select previous_secret_sealed from webhook_endpoint')
  expect(rows).toEqual([{ previous_secret_sealed: null }])
})

test('GAP-29 both secrets are stored sealed', async () => {
  await register('a')
  await register('b', 24)
  const { rows } = await desk.owner.query<{ row: string }>('select e::text as row from webhook_endpoint e')
  for (const letter of ['a', 'b']) expect(rows[0]?.row).not.toContain(secretOf(letter).slice(6, 20))
})

test('GAP-29 the webhook tells its state', async () => {
  const none = await read()
  expect([none.status, none.refusal.code]).toEqual([404, 'not_found'])
  await register('a')
  expect((await read()).body).toMatchObject({
    url,
    status: 'active',
    switched_off_at: null,
    switched_off_because: null,
    waiting_events: 0,
    oldest_waiting: null,
    last_error: null,
    given_up_events: 0,
  })
  answer = (response) => response.writeHead(503).end()
  await desk.order(shop)
  const failing = await desk.later(async () => {
    const { body } = await read()
    expect(body.last_error).toBe('The receiver answered 503')
    return body
  })
  expect([failing.status, failing.waiting_events]).toEqual(['active', 1])
  expect(Date.parse(failing.oldest_waiting ?? '')).not.toBeNaN()

  answer = (response) => response.writeHead(410).end()
  await desk.later(async () => expect((await read()).body.status).toBe('switched_off'))
  const off = (await read()).body
  expect(off.switched_off_because).toBe('The receiver answered 410 Gone')
  expect(Date.parse(off.switched_off_at ?? '')).not.toBeNaN()

  answer = (response) => response.writeHead(204).end()
  await register('a')
  const again = await desk.later(async () => {
    const { body } = await read()
    expect(body.waiting_events).toBe(0)
    return body
  })
  expect(again).toMatchObject({ status: 'active', switched_off_at: null, oldest_waiting: null })
  await desk.owner.query('update webhook_endpoint set held_at = now()')
  expect((await read()).body.status).toBe('held')
})

test('GAP-29 a webhook whose key was lost can be registered anew', async () => {
  await register('a')
  await desk.owner.query(`update webhook_endpoint set secret_sealed = 'by a key that nobody has'`)
  expect((await register('b', 24)).status).toBe(200)
  expect(await signers()).toBe('b')
  await register('c', 24)
  await desk.owner.query(`update webhook_endpoint set previous_secret_sealed = 'by a key that nobody has'`)
  expect(await signers()).toBe('c')
})
