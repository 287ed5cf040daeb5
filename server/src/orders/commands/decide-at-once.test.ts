import type { Order } from '@cellarhand/contract/orders'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { marketplaceCredential, openDesk, type Desk, type Shop } from '../../../test/desk.ts'
import { counterOf, orderIn, storedOrder } from '../../../test/order-steps.ts'

let desk: Desk
let shop: Shop
beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
})
afterAll(async () => desk.stop())

const as = (person: 'owner' | 'manager' | 'member', order: Order) =>
  counterOf(desk, { key: shop.key, as: shop[person] }, order)

const outOfStock = JSON.stringify({ outOfStock: { 'p-1': { checked: true, reason: 'within 48 hrs' } } })

test('GAP-108 of two clerks who decide at once one wins, and the other gets the order with the author, action and time', async () => {
  for (let round = 0; round < 5; round++) {
    const order = await orderIn(desk, shop, { status: 'SUBMITTED' })
    const { version } = order
    const [accepting, rejecting] = await Promise.all([
      as('manager', order).update({ status: 'MERCHANT_ACCEPTED', version }),
      as('member', order).reject({ reason: { code: 'other', value: 'We close early' }, version }),
    ])
    const [won, lost] = accepting.status === 200 ? [accepting, rejecting] : [rejecting, accepting]
    expect([won.status, lost.status, lost.refusal.code]).toEqual([200, 409, 'invalid_transition'])
    const winner = await latest(order)
    expect(lost.refusal['order']).toMatchObject({
      id: order.id,
      status: won.body.status,
      version: version + 1,
    })
    expect(lost.refusal['latest']).toEqual(winner)
    expect(winner).toMatchObject({
      action: won === accepting ? 'accept' : 'reject',
      actor: expect.stringMatching(/\S/) as string,
      party: 'merchant',
      at: expect.stringMatching(/Z$/) as string,
    })
    expect(Number((await storedOrder(desk, order.id)).history)).toBe(2)
  }
})

async function latest(order: Order) {
  const { body } = await desk.call('GET /m/v2/orders/{id}', { as: shop.owner, params: { id: order.id } })
  return body.history[0]
}

test('GAP-108 a decision on an older state is refused even if the step itself would be possible', async () => {
  const order = await orderIn(desk, shop, { status: 'SUBMITTED' })
  const { version } = order
  await as('manager', order).update({ status: 'MERCHANT_ACCEPTED' })
  const unseen = await as('member', order).reject({ reason: { code: 'bad_weather' }, version })
  expect([unseen.status, unseen.refusal.code, unseen.refusal['latest']]).toEqual([
    409,
    'invalid_transition',
    await latest(order),
  ])
  const seen = await as('member', order).reject({ reason: { code: 'bad_weather' }, version: version + 1 })
  expect([seen.status, seen.body.status]).toEqual([200, 'MERCHANT_REJECTED'])
})

test('GAP-108 of two reports of lines at once, the second has to look again, and nothing is lost', async () => {
  const order = await orderIn(desk, shop, { status: 'SUBMITTED' })
  const report = (version: number) => ({
    status: 'REJECTED_PARTIAL',
    version,
    order: { rejection_message: outOfStock },
  })
  expect((await as('member', order).update(report(order.version))).status).toBe(200)
  const late = await as('manager', order).update({
    ...report(order.version),
    order: { rejection_message: JSON.stringify({ wrongPrice: { 'p-2': { checked: true, price: 8 } } }) },
  })
  expect([late.status, late.refusal['latest']]).toEqual([409, await latest(order)])
  const { rejection_message, version } = late.refusal['order'] as Order
  expect(rejection_message).toBe(outOfStock)
  const again = await as('manager', order).update({
    ...report(version),
    order: { rejection_message: JSON.stringify({ wrongPrice: { 'p-2': { checked: true, price: 8 } } }) },
  })
  expect(JSON.parse(again.body.rejection_message ?? '')).toEqual({
    ...(JSON.parse(outOfStock) as object),
    wrongPrice: { 'p-2': { checked: true, price: 8 } },
  })
})

test('an address that is corrected on an older one is refused, so that nothing of the newer one is lost', async () => {
  const { id, version, recipient } = await orderIn(desk, shop, { status: 'MERCHANT_ACCEPTED' })
  const correct = (street_1: string, seen: number) =>
    desk.call('PUT /m/v2/merchant/{tmk}/orders/{id}/recipient', {
      as: shop.owner,
      params: { tmk: shop.key, id },
      body: { street_1, city: 'New York', state: 'NY', zipcode: '10005', version: seen },
    })
  expect((await correct('7 Real Street', version)).status).toBe(200)
  const late = await correct(recipient.street_1, version)
  expect([late.status, late.refusal['latest'], late.refusal['order']]).toMatchObject([
    409,
    { action: 'correct_address' },
    { version: version + 1, recipient: { street_1: '7 Real Street' } },
  ])
  await desk.call('POST /marketplace/v1/orders/{id}/status', {
    as: marketplaceCredential,
    params: { id },
    body: { status: 'PAYMENT_SUBMITTED' },
  })
  const paid = await correct('8 Real Street', version + 1)
  expect([paid.status, paid.body.status], 'a payment makes no address late').toEqual([
    200,
    'PAYMENT_SUBMITTED',
  ])
})

test('a change that decides nothing, such as a parcel under way, makes no decision late', async () => {
  const order = await orderIn(desk, shop, { status: 'SUBMITTED' })
  await desk.owner.query(
    `insert into order_history (merchant_id, order_id, version, action, from_status, to_status, actor_kind, actor_name)
     values ($1, $2, 2, 'print_packing_slip', 'SUBMITTED', 'SUBMITTED', 'merchant', 'Ana')`,
    [shop.key, order.id],
  )
  await desk.owner.query(
    `update orders set version = 2, document = jsonb_set(document::jsonb, '{version}', '2')::json where order_id = $1`,
    [order.id],
  )
  const answer = await as('member', order).update({ status: 'MERCHANT_ACCEPTED', version: order.version })
  expect(answer.status).toBe(200)
  const late = await as('manager', order).update({ status: 'MERCHANT_ACCEPTED' })
  expect(late.refusal['latest']).toMatchObject({ action: 'accept' })
})

test('the history gives each change and its party', async () => {
  const order = await orderIn(desk, shop, { status: 'REJECTED_PARTIAL' })
  const { body } = await desk.call('GET /m/v2/orders/{id}', { as: shop.owner, params: { id: order.id } })
  expect(body.history.map(({ action, party, details }) => ({ action, party, details }))).toEqual([
    { action: 'report_items', party: 'merchant', details: JSON.parse(outOfStock) as object },
    { action: 'submit', party: 'marketplace', details: null },
  ])
})

test('ACT-001 pressed twice with the same key, an accept is one change with one answer', async () => {
  const order = await orderIn(desk, shop, { status: 'SUBMITTED' })
  const accept = () =>
    desk.call('PUT /m/v2/orders/{id}', {
      as: shop.member,
      params: { id: order.id },
      headers: { 'idempotency-key': `accept-${order.id}` },
      body: { id: order.id, status: 'MERCHANT_ACCEPTED', version: order.version },
    })
  const [first, second] = await Promise.all([accept(), accept()])
  const answers = [first, second].map(({ status, refusal }) => [status, refusal.code])
  expect(answers).toContainEqual([200, undefined])
  const third = await accept()
  expect([third.status, third.body.status]).toEqual([200, 'MERCHANT_ACCEPTED'])
  expect(Number((await storedOrder(desk, order.id)).history)).toBe(2)
})
