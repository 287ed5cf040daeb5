import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openDesk, type Desk, type Shop } from '../../../test/desk.ts'
import { uberSettings } from '../../../test/providers/uber.ts'
import { startLoopback, type Loopback, type LoopbackRequest } from '../../../test/processes/loopback.ts'
import { orderIn } from '../../../test/order-steps.ts'

let doorDash: Loopback
let uber: Loopback
/** The state of each of DoorDash's deliveries. */
const stands = new Map<string, string>()
let base: Desk
let shop: Shop
const opened: Desk[] = []
beforeAll(async () => {
  doorDash = await startLoopback(answerAsDoorDash)
  uber = await startLoopback(({ path, json }) => {
    if (path === '/token') return { json: { access_token: 'token', expires_in: 3600 } }
    if (path.endsWith('/delivery_quotes')) return { json: { id: 'dqt_1', fee: 850 } }
    const { external_id } = (json ?? {}) as { external_id?: string }
    return { json: { id: 'del_1', external_id, status: 'pending' } }
  })
})
beforeEach(async () => {
  stands.clear()
  base = await openDesk()
  shop = await base.openShop()
  uber.requests.length = 0
})
/** Each test has a database of its own, since a server goes on following the deliveries it finds there. */
afterEach(async () => {
  for (const desk of [...opened.splice(0), base]) await desk.stop()
})
afterAll(async () => {
  await doorDash.stop()
  await uber.stop()
})

function answerAsDoorDash({ method, path, json }: LoopbackRequest) {
  const { external_delivery_id: given } = (json ?? {}) as { external_delivery_id?: string }
  const [, , id = given ?? '', step] = path.split('/')
  if (method === 'POST') stands.set(id, step === 'accept' ? 'created' : 'quote')
  if (step === 'cancel') stands.set(id, 'cancelled')
  const delivery_status = stands.get(id)
  return delivery_status === undefined
    ? { status: 404, json: { code: 'unknown_delivery_id' } }
    : { json: { external_delivery_id: id, delivery_status } }
}

const doorDashSettings = () => ({
  DOORDASH_URL: doorDash.url,
  DOORDASH_DEVELOPER_ID: 'dev-1',
  DOORDASH_KEY_ID: 'key-1',
  DOORDASH_SIGNING_SECRET: 'c2VjcmV0',
  DOORDASH_WEBHOOK_CREDENTIAL: 'doordash:a-long-webhook-secret',
})
const uberAlone = () => ({
  ...uberSettings(uber.url, `${uber.url}/token`),
})
/** A server with these settings, on the shop's database. */
async function serverWith(settings: Record<string, string>): Promise<Desk> {
  const desk = await base.another(settings)
  opened.push(desk)
  return desk
}
const request = (desk: Desk, id: string) =>
  desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/courier', {
    as: shop.member,
    params: { tmk: shop.key, id },
    body: { courier_info: { dispatch_type: 'immediate', number_of_package: 1 } },
  })
const cancel = (desk: Desk, id: string) =>
  desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/courier/cancel', {
    as: shop.member,
    params: { tmk: shop.key, id },
  })
const read = async (desk: Desk, id: string) =>
  (await desk.call('GET /m/v2/orders/{id}', { as: shop.member, params: { id } })).body
const accepted = (desk: Desk) =>
  orderIn(desk, shop, { status: 'MERCHANT_ACCEPTED', method: 'on_demand', courier_estimate_id: 'est-1' })

/** A delivery at DoorDash, and the shop's server after its change to Uber. */
async function switched(settings: Record<string, string>) {
  const before = await serverWith(doorDashSettings())
  const order = await accepted(before)
  expect((await request(before, order.id)).body.courier_info?.provider).toBe('DoorDash')
  await opened.pop()?.stop()
  const [id = ''] = stands.keys()
  return { order, id, desk: await serverWith(settings) }
}

test('after the change to Uber, a delivery at DoorDash is followed there, and Uber gets the next', async () => {
  const { order, id, desk } = await switched({ ...doorDashSettings(), ...uberAlone(), COURIER: 'uber' })
  stands.set(id, 'picked_up')
  const told = await desk.send('POST', '/providers/v1/couriers/doordash/events', {
    as: `Basic ${Buffer.from('doordash:a-long-webhook-secret').toString('base64')}`,
    body: { external_delivery_id: id },
  })
  expect(told.status).toBe(200)
  await expect.poll(async () => (await read(desk, order.id)).status).toBe('MERCHANT_SHIPPED')
  expect(uber.requests).toEqual([])
  const next = await accepted(desk)
  expect((await request(desk, next.id)).body.courier_info?.provider).toBe('Uber Direct')
})

test('T28 such a delivery is refreshed and cancelled at DoorDash', async () => {
  const { order, id, desk } = await switched({ ...doorDashSettings(), ...uberAlone(), COURIER: 'uber' })
  stands.set(id, 'confirmed')
  const refreshed = await desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/courier/refresh', {
    as: shop.member,
    params: { tmk: shop.key, id: order.id },
  })
  expect(refreshed.body.courier_info?.order_status).toBe('ORDER_ASSIGNED')
  expect((await cancel(desk, order.id)).body.courier_info?.order_status).toBe('ORDER_CANCELLED')
  expect([stands.get(id), uber.requests.length]).toEqual(['cancelled', 0])
})

test('a request whose answer got lost is repeated at DoorDash alone, so that there are no two couriers', async () => {
  const before = await serverWith(doorDashSettings())
  const order = await accepted(before)
  doorDash.next({ json: { delivery_status: 'quote' } }, 'drop')
  expect((await request(before, order.id)).refusal.code).toBe('courier_failed')
  await opened.pop()?.stop()
  const desk = await serverWith(uberAlone())
  const refused = await request(desk, order.id)
  expect([refused.status, refused.refusal.message]).toEqual([
    422,
    'A courier was requested at DoorDash, which this server is no longer set up for. Please ask DoorDash.',
  ])
  expect(uber.requests).toEqual([])
  const both = await serverWith({ ...doorDashSettings(), ...uberAlone(), COURIER: 'uber' })
  expect((await request(both, order.id)).body.courier_info?.provider).toBe('DoorDash')
  expect(uber.requests).toEqual([])
})

test('a doubt that nobody can ask about any more ends after a day, and another service gets the order', async () => {
  const before = await serverWith(doorDashSettings())
  const order = await accepted(before)
  doorDash.next({ json: { delivery_status: 'quote' } }, 'drop')
  await request(before, order.id)
  await opened.pop()?.stop()
  const desk = await serverWith(uberAlone())
  const age = (hours: number) =>
    desk.owner.query(
      'update courier_deliveries set tried_at = now() - make_interval(hours => $2) where order_id = $1',
      [order.id, hours],
    )
  await age(23)
  expect((await request(desk, order.id)).status).toBe(422)
  await age(25)
  await expect
    .poll(async () => (await request(desk, order.id)).body.courier_info?.provider)
    .toBe('Uber Direct')
})

test('without DoorDash’s settings no other service is asked to cancel its delivery, and the clerk reads whom to ask', async () => {
  const { order, desk } = await switched(uberAlone())
  const refused = await cancel(desk, order.id)
  expect([refused.status, refused.refusal.message]).toEqual([422, expect.stringContaining('ask DoorDash')])
  expect(uber.requests).toEqual([])
})

test('with two services configured, one must be chosen, and an unconfigured one cannot be', async () => {
  await expect(openDesk({ ...doorDashSettings(), ...uberAlone() })).rejects.toThrow(/COURIER=uber/)
  await expect(openDesk({ ...uberAlone(), COURIER: 'doordash' })).rejects.toThrow(/COURIER must be/)
})
