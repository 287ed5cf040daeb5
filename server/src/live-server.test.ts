import { createHmac } from 'node:crypto'
import { serviceUses } from '@cellarhand/contract/merchants'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  applicationCredential,
  liveMarketplaceCredential,
  liveSettings,
  marketplaceCredential,
  openDesk,
  password,
  type Answer,
  type Desk,
  type Shop,
} from '../test/desk.ts'
import { eventually } from '../test/eventually.ts'
import { orderIn, takeStep } from '../test/order-steps.ts'
import { anOrder } from '../test/orders.ts'
import { newReceiver } from '../test/providers/push-service.ts'
import { startLoopback, type Loopback } from '../test/processes/loopback.ts'
import { checkProviders } from './check-providers.ts'
import { signEvent } from './shipping/tracking/tracker-events.ts'

/** A shop's server, as it runs outside the demo: none of the demo's doors may be open. */
let live: Desk
let shop: Shop
let receiver: Loopback
beforeAll(async () => {
  live = await openDesk(liveSettings)
  shop = await live.openShop()
  receiver = await startLoopback(() => ({ status: 204 }))
})
afterAll(async () => {
  await live.stop()
  await receiver.stop()
})

const says = ({ status, refusal }: Answer<unknown>) => [status, refusal.code]

test('API-003 the credentials of the demo open nothing, and the server’s own open the road of an order', async () => {
  const order = await live.call('POST /marketplace/v1/orders', {
    as: marketplaceCredential,
    body: anOrder(shop.key),
  })
  const session = await live.call('POST /a/v2/sessions', {
    as: applicationCredential,
    body: { email: shop.owner.email, password },
  })
  for (const refused of [order, session]) expect(says(refused)).toEqual([401, 'bad_client_credential'])

  const taken = await orderIn(live, shop, { status: 'MERCHANT_ACCEPTED' })
  const shipped = await takeStep(live, shop, { order: taken, step: 'save_tracking' })
  expect([shipped.status, shipped.body.status]).toEqual([200, 'MERCHANT_SHIPPED'])
})

test('webhooks go to public addresses alone, also when a registered name leads to this machine later', async () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const register = (url: string) =>
    live.call('PUT /marketplace/v1/webhook', { as: liveMarketplaceCredential, body: { url, secret } })
  for (const url of [
    receiver.url,
    receiver.url.replace('http:', 'https:'),
    'https://localhost/hook',
    'https://127.9.9.9/hook',
    'https://[::1]/hook',
  ]) {
    const { status, refusal } = await register(url)
    expect([url, status, refusal.errors]).toEqual([url, 400, { url: 'The address must be public' }])
  }
  expect((await register('https://hooks.example.com/')).status).toBe(200)
  await live.owner.query('update webhook_endpoint set url = $1', [receiver.url])
  const own = await live.openShop()
  await live.order(own)
  await eventually(async () => {
    const { rows } = await live.owner.query('select webhook_error from outbox where merchant_id = $1', [
      own.key,
    ])
    expect(rows).toEqual([
      { webhook_error: '127.0.0.1 is at 127.0.0.1, which is not a public https address' },
    ])
  })
  expect(receiver.requests).toEqual([])
})

test('a device registers for push messages at a public address alone', async () => {
  const { keys } = newReceiver()
  const refused = async (endpoint: string) => {
    const { status, refusal } = await live.call('PUT /m/v2/merchant/{tmk}/push/devices', {
      as: shop.member,
      params: { tmk: shop.key },
      body: { endpoint, keys, due_orders: false },
    })
    return [status, refusal.errors]
  }
  for (const endpoint of [`${receiver.url}/push`, 'https://localhost/push', 'https://127.9.9.9/push'])
    expect(await refused(endpoint), endpoint).toEqual([400, { endpoint: 'The address must be public' }])
})

test('where no provider is set up, none is made up: no label, courier, text message or payment account', async () => {
  const local = { method: 'on_demand', courier_estimate_id: 'est-1' }
  const order = await orderIn(live, shop, { status: 'MERCHANT_ACCEPTED', ...local })
  const at = { as: shop.owner, params: { tmk: shop.key } }
  const atOrder = { as: shop.member, params: { tmk: shop.key, id: order.id } }

  const courier = await live.call('POST /m/v2/merchant/{tmk}/orders/{id}/courier', {
    ...atOrder,
    body: { courier_info: { dispatch_type: 'immediate', number_of_package: 1 } },
  })
  expect(courier.refusal.message).toMatch(/^No courier service is set up on this server/)
  const text = await live.call('POST /m/v2/sms', {
    as: shop.member,
    body: { number: '2125550123', message: 'Directions' },
  })
  expect(text.refusal.errors).toEqual([{ message: 'No text message service is set up on this server.' }])
  const account = await live.call('PUT /c/v2/merchants/{tmk}/carrier_integration', {
    ...at,
    body: {
      carrier: 'UPS',
      account_number: 'A1B2 345',
      account_zip: '10001',
      label_size: '4x6',
      label_format: 'PDF',
    },
  })
  expect(says(account)).toEqual([422, 'account_unauthorized'])
  const payments = await live.call('GET /v1/merchant/{tmk}/stripe', at)
  expect(payments.refusal.message).toMatch(/^No payment provider is set up on this server/)

  const { body } = await live.call('GET /c/v2/merchants/{tmk}/outside_services', at)
  expect(body.services.map(({ use, provider, is_sandbox }) => [use, provider, is_sandbox])).toEqual(
    serviceUses.map((use) => [use, null, false]),
  )
  const { lines } = await checkProviders(live.app.db, live.config)
  expect(lines.filter((line) => !line.endsWith(': no provider is set up.'))).toEqual([])
})

test('the demo’s pages and callbacks do not exist, not even for the sandbox’s own signature', async () => {
  expect(live.app.unserved).toEqual([])
  const token = 'x'.repeat(24)
  for (const path of [
    '/demo/couriers/1-1-a',
    '/demo/outbox',
    `/demo/payments/${token}`,
    `/demo/payments/${token}/active`,
  ])
    expect([path, ...says(await live.send('GET', path))]).toEqual([path, 404, 'not_found'])
  const reply = await live.send('POST', '/demo/text_replies', {
    body: 'number=%2B12125550123&body=STOP',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect(reply.status).toBe(404)

  const event = JSON.stringify({ id: 'evt_1', description: 'tracker.updated', result: {} })
  const signed = (secret: string) => createHmac('sha256', secret).update(event).digest('hex')
  const courier = await live.send('POST', '/providers/v1/couriers/sandbox/events', {
    body: event,
    headers: { 'x-sandbox-signature': signed(live.config.sessionSecret) },
  })
  expect(says(courier)).toEqual([404, 'not_found'])
  const ownSecret = createHmac('sha256', live.config.sealingKeys[0]).update('sandbox carrier').digest('hex')
  const carrier = await live.send('POST', '/providers/v1/shipping/events', {
    body: event,
    headers: { 'x-hmac-signature': signEvent(ownSecret, event) },
  })
  expect(says(carrier)).toEqual([403, 'bad_signature'])
  for (const kind of ['status', 'replies'])
    expect(says(await live.send('POST', `/providers/v1/texts/sandbox/${kind}`))).toEqual([404, 'not_found'])
})
