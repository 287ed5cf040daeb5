import { orderStatuses } from '@cellarhand/contract/order-statuses'
import type { Order } from '@cellarhand/contract/orders'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDesk, type Desk, type Shop } from '../../test/desk.ts'
import { orderIn, storedOrder, takeStep, type Step } from '../../test/order-steps.ts'

let desk: Desk
let shop: Shop
beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
})
afterAll(async () => desk.stop())

const outside = async () => orderIn(desk, shop, { status: 'MERCHANT_SHIPPED', method: 'on_demand' })
const close = async ({ id }: Order, delivery_info: object) =>
  desk.call('POST /m/v2/orders/{id}', {
    as: shop.member,
    params: { id },
    body: { id, status: 'CLOSED', delivery_info },
  })
const refused = async ({ id }: Order, body: object, headers: Record<string, string> = {}) =>
  desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/refused_delivery', {
    as: shop.member,
    params: { tmk: shop.key, id },
    body,
    headers,
  })
const history = async ({ id }: Order) =>
  (await desk.call('GET /m/v2/orders/{id}', { as: shop.owner, params: { id } })).body.history

test('DELIV-004 DELIV-005 API-036 a hand-over stores an age check with its document, checker and time', async () => {
  const order = await outside()
  const delivered_on = order.date_submitted
  const { body } = await close(order, {
    delivered_on,
    delivered_by: 'Sam',
    age_check: { method: 'driver_license' },
  })
  expect(body).toMatchObject({
    status: 'CLOSED',
    delivery_info: { signed_by: null, delivered_by: 'Sam' },
    age_check: { result: 'passed', reason: null, method: 'driver_license', checked_by: 'Sam' },
  })
  expect(body.age_check?.checked_at).toBe(new Date(delivered_on).toISOString())
})

test('DELIV-005 API-035 a check saved with the details stays when the order is closed without one', async () => {
  const order = await outside()
  const params = { tmk: shop.key, id: order.id }
  const details = { delivered_on: order.date_submitted, age_check: { method: 'passport', checked_by: 'Ann' } }
  const save = async () =>
    desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/data', { as: shop.member, params, body: details })
  expect((await save()).status).toBe(200)
  const once = await storedOrder(desk, order.id)
  expect((await save()).status).toBe(200)
  expect(await storedOrder(desk, order.id)).toEqual(once)
  const { body } = await close(order, {})
  expect(body).toMatchObject({ status: 'CLOSED', age_check: { method: 'passport', checked_by: 'Ann' } })
})

test('a check refuses a number, a birth date and an unknown kind of ID', async () => {
  const order = await outside()
  const before = await storedOrder(desk, order.id)
  for (const age_check of [
    { method: 'passport', id_number: 'X1' },
    { method: 'passport', birth_date: '1980-01-01' },
    { method: 'library_card' },
    {},
  ])
    expect((await close(order, { delivered_on: order.date_submitted, age_check })).status).toBe(400)
  expect(await storedOrder(desk, order.id)).toEqual(before)
})

const reading = { how: 'scanned', is_over_21: true, is_expired: false }
const asRead = (changes: object) => ({ method: 'state_id', reading: { ...reading, ...changes } })

test('a check keeps what the dates of the ID said, and nothing closes on an ID that says no', async () => {
  const order = await outside()
  const delivered_on = order.date_submitted
  const params = { tmk: shop.key, id: order.id }
  for (const age_check of [asRead({ is_over_21: false }), asRead({ is_expired: true })]) {
    const before = await storedOrder(desk, order.id)
    const refusal = await close(order, { delivered_on, age_check })
    expect(refusal.status).toBe(400)
    expect(JSON.stringify(refusal.body)).toContain('the order comes back to the store')
    const details = { as: shop.member, params, body: { delivered_on, age_check } as never }
    expect((await desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/data', details)).status).toBe(400)
    expect(await storedOrder(desk, order.id)).toEqual(before)
  }
  for (const more of [{ born: '1985-01-31' }, { number: 'X1' }, { name: 'Rowan' }])
    expect((await close(order, { delivered_on, age_check: asRead(more) })).status).toBe(400)
  const { body } = await close(order, { delivered_on, age_check: asRead({}) })
  expect(body.age_check).toMatchObject({ result: 'passed', method: 'state_id', reading })
})

test('a refusal takes back the signer and the moment that a driver had typed before', async () => {
  const shop = await desk.openShop()
  const order = await orderIn(desk, shop, { status: 'MERCHANT_SHIPPED', method: 'on_demand' })
  const { body: saved } = await desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/data', {
    as: shop.member,
    params: { tmk: shop.key, id: order.id },
    body: { delivered_on: order.date_submitted, signed_by: 'Dee Nakamura' },
  })
  expect(saved).toBeDefined()
  const { status, body } = await takeStep(desk, shop, { order, step: 'bring_back' })
  expect([status, body.delivery_info ?? null]).toEqual([200, null])
})

test('a refusal keeps what the dates of the ID said', async () => {
  const order = await outside()
  const said = { ...reading, is_over_21: false }
  const { body } = await refused(order, { reason: 'under_21', method: 'state_id', reading: said })
  expect(body.age_check).toMatchObject({ result: 'refused', reason: 'under_21', reading: said })
  expect((await history(order))[0]?.details).toMatchObject({ reading: said })
})

const reject = async ({ id }: Order) =>
  desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/reject', {
    as: shop.member,
    params: { tmk: shop.key, id },
    body: { reason: { code: 'other', value: 'Not handed over' } },
  })

test.each([
  ['under_21', 20],
  ['no_valid_id', 20],
  ['nobody_there', undefined],
  ['intoxicated', undefined],
])('TERMS-006 an order that ends after %s tells the restocking fee: %s', async (reason, fee) => {
  const rejected = await outside()
  expect((await refused(rejected, { reason })).body.restocking_fee).toBeUndefined()
  const { body } = await reject(rejected)
  expect([body.status, body.restocking_fee]).toEqual(['MERCHANT_REJECTED', fee])
  const [newest] = await history(rejected)
  expect(newest?.details).toEqual({ code: 'other', ...(fee === undefined ? {} : { restocking_fee: fee }) })
  const cancelled = await outside()
  await refused(cancelled, { reason })
  const answer = await takeStep(desk, shop, { order: cancelled, step: 'cancel' })
  expect([answer.body.status, answer.body.restocking_fee]).toEqual(['CANCELLED', fee])
})

test('TERMS-006 no fee after a second visit at which nobody was there', async () => {
  const order = await outside()
  await refused(order, { reason: 'under_21' })
  await takeStep(desk, shop, { order, step: 'send_out' })
  await refused(order, { reason: 'nobody_there' })
  expect((await reject(order)).body.restocking_fee).toBeUndefined()
})

test.each([
  ['under_21', 'Not handed over: under 21', 'refused'],
  ['no_valid_id', 'Not handed over: no valid ID', 'refused'],
  ['nobody_there', 'Not handed over: nobody there', 'not_made'],
  ['intoxicated', 'Not handed over: intoxicated', 'refused'],
])(
  'T29 TERMS-006 %s brings the order back, with a reason that everybody can read',
  async (reason, comment, result) => {
    const order = await orderIn(desk, shop, { status: 'PAYMENT_APPROVED', method: 'scheduled' })
    await desk.call('PUT /m/v2/orders/{id}', {
      as: shop.member,
      params: { id: order.id },
      body: { status: 'MERCHANT_SHIPPED' },
    })
    const { body } = await refused(order, { reason, note: ' Buzzer 4 ', method: 'state_id' })
    expect(body).toMatchObject({
      status: 'PAYMENT_APPROVED',
      status_comment: `${comment}. Buzzer 4`,
      delivery_info: null,
      age_check: { result, reason, method: 'state_id' },
    })
    const [newest] = await history(order)
    expect(newest).toMatchObject({ action: 'bring_back', from: 'MERCHANT_SHIPPED', to: 'PAYMENT_APPROVED' })
    expect(newest?.comment).toBe(`${comment}. Buzzer 4`)
    const again = await desk.call('PUT /m/v2/orders/{id}', {
      as: shop.member,
      params: { id: order.id },
      body: { status: 'MERCHANT_SHIPPED' },
    })
    expect(again.body.status).toBe('MERCHANT_SHIPPED')
  },
)

test('T29 an order paid while the bottles were out stays paid when they come back a second time', async () => {
  const order = await orderIn(desk, shop, { status: 'MERCHANT_ACCEPTED', method: 'on_demand' })
  const step = async (name: Step) => (await takeStep(desk, shop, { order, step: name })).body.status
  expect([await step('send_out'), await step('bring_back')]).toEqual([
    'MERCHANT_SHIPPED',
    'MERCHANT_ACCEPTED',
  ])
  expect([await step('submit_payment'), await step('approve_payment')]).toEqual([
    'PAYMENT_SUBMITTED',
    'PAYMENT_APPROVED',
  ])
  expect([await step('send_out'), await step('bring_back')]).toEqual(['MERCHANT_SHIPPED', 'PAYMENT_APPROVED'])
})

test('T29 two drivers who press at once, and one who presses twice, bring the order back once', async () => {
  const order = await outside()
  const key = { 'idempotency-key': 'once' }
  const first = await refused(order, { reason: 'nobody_there' }, key)
  const second = await refused(order, { reason: 'nobody_there' }, key)
  expect([first.status, second.text]).toEqual([200, first.text])
  const other = await outside()
  const answers = await Promise.all([
    refused(other, { reason: 'nobody_there' }),
    refused(other, { reason: 'intoxicated' }),
  ])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect((await history(other)).filter(({ action }) => action === 'bring_back')).toHaveLength(1)
})

test.each(orderStatuses.filter((status) => status !== 'MERCHANT_SHIPPED'))(
  'T29 GAP-108 an order that is %s is not at any door',
  async (status) => {
    const order = await orderIn(desk, shop, { status, method: 'on_demand' })
    const answer = await refused(order, { reason: 'nobody_there' })
    expect([answer.status, answer.refusal.code]).toEqual([409, 'invalid_transition'])
  },
)

test('a hand-over that was typed before the order came back is refused at each of its calls, also once it is out again', async () => {
  const order = await outside()
  const { version } = await storedOrder(desk, order.id)
  expect((await refused(order, { reason: 'under_21' })).status).toBe(200)
  expect((await takeStep(desk, shop, { order, step: 'send_out' })).status).toBe(200)
  const delivered_on = order.date_submitted
  const before = await storedOrder(desk, order.id)
  const answers = [
    await desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/data', {
      as: shop.member,
      params: { tmk: shop.key, id: order.id },
      body: { delivered_on, version },
    }),
    await desk.call('POST /m/v2/orders/{id}', {
      as: shop.member,
      params: { id: order.id },
      body: { id: order.id, version, status: 'CLOSED', delivery_info: { delivered_on } },
    }),
    await refused(order, { reason: 'no_valid_id', version }),
  ]
  for (const { status, refusal } of answers)
    expect([status, refusal]).toEqual([
      409,
      expect.objectContaining({ code: 'invalid_transition', latest: expect.anything() as unknown }),
    ])
  expect(await storedOrder(desk, order.id)).toEqual(before)
})
