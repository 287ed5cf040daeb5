import type { Order } from '@cellarhand/contract/orders'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { marketplaceCredential, openDesk, type Desk, type Shop } from '../../../test/desk.ts'
import { decideRule } from '../../../test/duties-desk.ts'
import { counterOf, giveCourierAndParcel, orderIn, storedOrder } from '../../../test/order-steps.ts'

let desk: Desk
let shop: Shop
beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
})
afterAll(async () => desk.stop())

const at = (order: Order) => counterOf(desk, { key: shop.key, as: shop.member }, order)

async function withCourier(status: 'MERCHANT_ACCEPTED' | 'MERCHANT_SHIPPED'): Promise<Order> {
  const order = await orderIn(desk, shop, { status, method: 'on_demand' })
  await giveCourierAndParcel(desk, order)
  return order
}

test.each(['javascript:alert(1)', 'data:text/html,x', 'https://', 'fleet.example/1', 'https://a b'])(
  'GAP-61 a courier’s link that is no web address is refused: %s',
  async (tracking_url) => {
    const order = await withCourier('MERCHANT_ACCEPTED')
    const tell = (url: string) =>
      desk.call('POST /marketplace/v1/orders/{id}/courier_events', {
        as: marketplaceCredential,
        params: { id: order.id },
        body: { order_status: 'ORDER_ASSIGNED', tracking_url: url },
      })
    const refused = await tell(tracking_url)
    expect([refused.status, refused.refusal.errors]).toEqual([
      400,
      { tracking_url: 'Is not of the expected form' },
    ])
    expect((await tell('HTTP://fleet.example/1?order=2#map')).status).toBe(200)
  },
)

test('T19 ENT-031 a courier who picks up ships the order; what the courier leaves out stays', async () => {
  const order = await withCourier('MERCHANT_ACCEPTED')
  const { body } = await desk.call('POST /marketplace/v1/orders/{id}/courier_events', {
    as: marketplaceCredential,
    params: { id: order.id },
    body: {
      order_status: 'ORDER_PICKED_UP',
      tracking_url: 'https://fleet.example/1',
      number_of_packages: null,
    },
  })
  expect(body.status).toBe('MERCHANT_SHIPPED')
  expect(body.courier_info).toMatchObject({
    provider: 'Fleet',
    number_of_packages: 1,
    tracking_url: 'https://fleet.example/1',
    order_status: 'ORDER_PICKED_UP',
  })
})

test.each(['ORDER_FAILED', 'ORDER_CANCELLED'] as const)(
  'T20 ENT-032 GAP-136 %s leaves the order ready to be sent again',
  async (event) => {
    const order = await withCourier('MERCHANT_ACCEPTED')
    const { body } = await at(order).courier(event)
    expect([body.status, body.courier_info?.order_status]).toEqual(['MERCHANT_ACCEPTED', event])
  },
)

test('T22 GAP-136 a courier’s delivery closes the order, with its time', async () => {
  const order = await withCourier('MERCHANT_SHIPPED')
  const { body } = await at(order).courier('ORDER_DELIVERED')
  expect(body.status).toBe('CLOSED')
  expect(Date.parse(body.delivery_info?.delivered_on ?? '')).toBeGreaterThan(0)
})

test('a courier that hands over without the ID check that a rule asks for leaves an order that needs a look', async () => {
  const order = await withCourier('MERCHANT_SHIPPED')
  const { body } = await at(order).courier('ORDER_DELIVERED')
  expect(body.duties?.missing).toMatchObject([{ rule: 'TERMS-AGE', kind: 'age_check' }])
  const listed = await desk.call('GET /m/v2/merchant/{tmk}/orders/optimized', {
    as: shop.member,
    params: { tmk: shop.key },
    query: { 'filter[tab]': 'completed', 'filter[needs_a_look]': 'true' },
  })
  expect(listed.body.items.map(({ id }) => id)).toContain(order.id)
})

test('a courier that hands over after a check leaves nothing missing', async () => {
  const order = await withCourier('MERCHANT_SHIPPED')
  const saved = await desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/data', {
    as: shop.member,
    params: { tmk: shop.key, id: order.id },
    body: { delivered_on: order.date_submitted, age_check: { method: 'passport' } },
  })
  expect(saved.status).toBe(200)
  const { body } = await at(order).courier('ORDER_DELIVERED')
  expect([body.status, body.age_check?.result, body.duties?.missing]).toEqual(['CLOSED', 'passed', undefined])
})

test('where a rule asks for a scan, a check by eye before a courier’s delivery is not the one it asks for', async () => {
  const strict = await desk.openShop()
  const value = { is_electronic: true }
  const body = { decision: 'changed', value, reason: 'Scans alone' }
  await decideRule(desk, strict, { rule: 'TERMS-AGE', body })
  const order = await orderIn(desk, strict, { status: 'MERCHANT_SHIPPED', method: 'on_demand' })
  await giveCourierAndParcel(desk, order)
  const saved = await desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/data', {
    as: strict.member,
    params: { tmk: strict.key, id: order.id },
    body: { delivered_on: order.date_submitted, age_check: { method: 'passport' } },
  })
  expect(saved.status).toBe(200)
  const delivered = await counterOf(desk, { key: strict.key, as: strict.member }, order).courier(
    'ORDER_DELIVERED',
  )
  expect(delivered.body.duties?.missing).toMatchObject([{ rule: 'TERMS-AGE', is_electronic: true }])
})

test('a dispute about an order at the door, settled as delivered, leaves it with the check that nobody recorded', async () => {
  const order = await orderIn(desk, shop, { status: 'MERCHANT_SHIPPED', method: 'on_demand' })
  await at(order).tell({ status: 'DISPUTED' })
  const settled = await at(order).tell({ status: 'CLOSED' })
  expect([settled.status, settled.body.duties?.missing]).toMatchObject([200, [{ rule: 'TERMS-AGE' }]])

  const closed = await orderIn(desk, shop, { status: 'MERCHANT_SHIPPED', method: 'on_demand' })
  const age_check = { method: 'passport' }
  await at(closed).update({
    status: 'CLOSED',
    delivery_info: { delivered_on: closed.date_submitted, age_check },
  })
  await at(closed).tell({ status: 'DISPUTED' })
  expect((await at(closed).tell({ status: 'CLOSED' })).body.duties?.missing).toBeUndefined()
})

test('GAP-136 a courier’s progress is recorded and moves nothing', async () => {
  const order = await withCourier('MERCHANT_ACCEPTED')
  const { body } = await at(order).courier('ORDER_ASSIGNED')
  expect(body).toMatchObject({ status: 'MERCHANT_ACCEPTED', version: order.version + 1 })
})

test('API-037 an order without a courier has no courier events', async () => {
  const order = await orderIn(desk, shop, { status: 'MERCHANT_ACCEPTED', method: 'on_demand' })
  const before = await storedOrder(desk, order.id)
  const answer = await at(order).courier('ORDER_PICKED_UP')
  expect([answer.status, answer.refusal.code]).toEqual([404, 'not_found'])
  expect(await storedOrder(desk, order.id)).toEqual(before)
})

test('T23 GAP-107 a carrier’s delivery closes the order at the carrier’s time', async () => {
  const order = await orderIn(desk, shop, { status: 'MERCHANT_SHIPPED' })
  const { body } = await desk.call('POST /marketplace/v1/orders/{id}/carrier_events', {
    as: marketplaceCredential,
    params: { id: order.id },
    body: { tracking_code: '1Z 999', event: 'delivered', at: '2026-11-20T10:00:00-05:00' },
  })
  expect(body).toMatchObject({
    status: 'CLOSED',
    delivery_info: { signed_by: null, delivered_by: null, delivered_on: '2026-11-20T15:00:00.000Z' },
  })
})

test.each(['in_transit', 'failed'])('T23 %s is recorded and moves nothing', async (event) => {
  const order = await orderIn(desk, shop, { status: 'MERCHANT_SHIPPED' })
  const { body } = await at(order).carrier(event)
  expect(body).toMatchObject({ status: 'MERCHANT_SHIPPED', version: order.version + 1 })
})

test('T23 another order’s parcel, or an invalid day, changes nothing', async () => {
  const order = await orderIn(desk, shop, { status: 'MERCHANT_SHIPPED' })
  const before = await storedOrder(desk, order.id)
  const report = (body: object) =>
    desk.call('POST /marketplace/v1/orders/{id}/carrier_events', {
      as: marketplaceCredential,
      params: { id: order.id },
      body,
    })
  expect((await report({ tracking_code: '1Z998', event: 'delivered' })).status).toBe(404)
  const unreal = await report({ tracking_code: '1Z999', event: 'delivered', at: '2026-02-30T10:00:00Z' })
  expect([unreal.status, unreal.refusal.errors]).toEqual([400, { at: 'Is not a real date' }])
  expect((await report({ tracking_code: '1Z999', event: 'lost' })).status).toBe(400)
  expect(await storedOrder(desk, order.id)).toEqual(before)
})

test('T19 GAP-136 a pick-up after a clerk has sent the order out is recorded, and a failure before the pick-up too', async () => {
  for (const event of ['ORDER_PICKED_UP', 'ORDER_FAILED', 'ORDER_CANCELLED'] as const) {
    const order = await withCourier('MERCHANT_SHIPPED')
    const { status, body } = await at(order).courier(event)
    expect([event, status]).toEqual([event, 200])
    expect(body).toMatchObject({ status: 'MERCHANT_SHIPPED', version: order.version + 1 })
    expect(body.courier_info?.order_status).toBe(event)
  }
})

test('T30 DELIV-005 a passed check at a visit without a hand-over does not count for the next one', async () => {
  const order = await withCourier('MERCHANT_ACCEPTED')
  await at(order).courier('ORDER_PICKED_UP')
  const saved = await desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/data', {
    as: shop.member,
    params: { tmk: shop.key, id: order.id },
    body: { delivered_on: order.date_submitted, age_check: { method: 'passport' } },
  })
  expect(saved.status).toBe(200)
  const { body: back } = await at(order).courier('ORDER_FAILED')
  expect([back.status, back.delivery_info, 'age_check' in back]).toEqual(['MERCHANT_ACCEPTED', null, false])
  await giveCourierAndParcel(desk, order)
  await at(order).courier('ORDER_PICKED_UP')
  const { body } = await at(order).courier('ORDER_DELIVERED')
  expect([body.status, 'age_check' in body]).toEqual(['CLOSED', false])
})

test('DELIV-005 a refusal stays readable when a courier brings the order back', async () => {
  const order = await withCourier('MERCHANT_ACCEPTED')
  await at(order).courier('ORDER_PICKED_UP')
  const refused = await desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/refused_delivery', {
    as: shop.member,
    params: { tmk: shop.key, id: order.id },
    body: { reason: 'under_21' },
  })
  expect(refused.body.status).toBe('MERCHANT_ACCEPTED')
  await giveCourierAndParcel(desk, order)
  await at(order).courier('ORDER_PICKED_UP')
  const { body } = await at(order).courier('ORDER_FAILED')
  expect(body.age_check).toMatchObject({ result: 'refused', reason: 'under_21' })
})

test('T30 a courier who fails with the bottles brings the order back to its paid status', async () => {
  const order = await orderIn(desk, shop, { status: 'PAYMENT_APPROVED', method: 'on_demand' })
  await giveCourierAndParcel(desk, order)
  expect((await at(order).courier('ORDER_PICKED_UP')).body.status).toBe('MERCHANT_SHIPPED')
  const { body } = await at(order).courier('ORDER_FAILED')
  expect(body).toMatchObject({
    status: 'PAYMENT_APPROVED',
    status_comment: 'The courier could not hand it over',
    courier_info: { order_status: 'ORDER_FAILED' },
  })
  expect((await at(body).update({ status: 'MERCHANT_SHIPPED' })).body.status).toBe('MERCHANT_SHIPPED')
})

test('GAP-136 older news that arrives late moves the order back nowhere', async () => {
  const order = await withCourier('MERCHANT_ACCEPTED')
  await at(order).courier('ORDER_PICKED_UP')
  const { body } = await at(order).courier('ORDER_ASSIGNED')
  expect([body.status, body.courier_info?.order_status]).toEqual(['MERCHANT_SHIPPED', 'ORDER_PICKED_UP'])
})

test('T23 no record says that a parcel was delivered at a moment that has yet to come', async () => {
  const report = async (aheadMs: number) => {
    const order = await orderIn(desk, shop, { status: 'MERCHANT_SHIPPED' })
    await giveCourierAndParcel(desk, order)
    return desk.call('POST /marketplace/v1/orders/{id}/carrier_events', {
      as: marketplaceCredential,
      params: { id: order.id },
      body: { tracking_code: '1Z999', event: 'delivered', at: new Date(Date.now() + aheadMs).toISOString() },
    })
  }
  const wrong = await report(900 * 86_400_000)
  expect([wrong.status, wrong.refusal.errors]).toEqual([400, { at: 'Must not be in the future' }])
  const { status, body } = await report(3_600_000)
  expect(status).toBe(200)
  expect(Date.parse(body.delivery_info?.delivered_on ?? '')).toBeLessThanOrEqual(Date.now())
})
