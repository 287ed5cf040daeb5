import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Shop, TurnableDesk } from '../../../../test/desk.ts'
import { decideRule } from '../../../../test/duties-desk.ts'
import { labelBatches, reasonsIn } from '../../../../test/label-batches.ts'
import { openEasyPostDesk } from '../../../../test/providers/easypost-desk.ts'
import type { EasyPostServer } from '../../../../test/providers/easypost-server.ts'
import { orderIn } from '../../../../test/order-steps.ts'
import { anItem } from '../../../../test/orders.ts'

let easyPost: EasyPostServer
let desk: TurnableDesk
let shop: Shop
let stop: () => Promise<void>
beforeAll(async () => {
  ;({ easyPost, desk, shop, stop } = await openEasyPostDesk())
})
afterAll(() => stop())
beforeEach(() => {
  easyPost.sellsAt = '8.20'
  easyPost.alsoSells = []
  easyPost.requests.length = 0
})
afterEach(() => decide({ decision: 'set_aside', reason: 'The next test begins without it' }))

const rule = 'US-UPS-AGREEMENT'
const decide = (body: object, of = rule) => decideRule(desk, shop, { rule: of, body })
const decided = (services: string) => `An owner of the shop has decided: by UPS, only ${services}.`

const allow = (services: readonly string[], applies: object = { roads: ['parcel'] }) =>
  decide({
    decision: 'changed',
    reason: 'Our contract with UPS names them',
    applies,
    value: { carrier: 'UPS', asks: 'services', services },
  })

const accepted = (changes: object = {}) => orderIn(desk, shop, { status: 'MERCHANT_ACCEPTED', ...changes })
const inOrder = (id: string) => ({ as: shop.member, params: { tmk: shop.key, id } })
const buy = (id: string) =>
  desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/shipping_labels', {
    ...inOrder(id),
    body: { order_id: id, boxes: [{ weight: 4.5 }] },
  })
const quote = async (id: string) =>
  (
    await desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/shipping_labels/quote', {
      ...inOrder(id),
      body: { boxes: [{ weight: 4.5 }] },
    })
  ).body
const soldFor = (id: string) =>
  [...easyPost.shipments.values()].filter(
    ({ tracking_code, request }) =>
      tracking_code !== null && String(request['reference']).startsWith(`${id}:`),
  )

test('the cheapest allowed service is quoted and bought, not the cheapest of the account; an adult signs', async () => {
  await allow(['Two Day', 'UPS Next-Day'])
  easyPost.sellsAt = '13.05'
  const order = await accepted()
  expect(await quote(order.id)).toEqual({
    boxes: [{ carrier: 'UPSDAP', service: 'TwoDay', price_cents: 1305 }],
    refusal: null,
  })
  expect((await buy(order.id)).status).toBe(200)
  const [shipment, ...more] = easyPost.requests.filter(({ path }) => path === '/shipments')
  expect(shipment?.json).toMatchObject({
    shipment: { options: { alcohol: true, delivery_confirmation: 'ADULT_SIGNATURE' } },
  })
  // The quote was bought.
  expect(more).toEqual([])
})

test('a rule signed after the quote counts: the price of a service that it forbids is not taken', async () => {
  const order = await accepted()
  expect((await quote(order.id)).boxes).toMatchObject([{ service: 'Ground' }])
  await allow(['NextDay'])
  easyPost.sellsAt = '21.40'
  expect((await buy(order.id)).status).toBe(200)
  expect(soldFor(order.id)).toHaveLength(1)
})

test('where the carrier offers none of them nothing is bought, and price, answer and history have the rule’s words', async () => {
  await allow(['Freight'])
  const words = decided('Freight')
  const order = await accepted()
  expect(await quote(order.id)).toEqual({
    boxes: [],
    refusal: { code: 'service_forbidden', message: words },
  })
  const { status, refusal } = await buy(order.id)
  expect([status, refusal.code, refusal.message]).toEqual([409, 'service_forbidden', words])
  expect(soldFor(order.id)).toEqual([])
  const { body } = await desk.call('GET /m/v2/orders/{id}', { as: shop.member, params: { id: order.id } })
  expect([body.status, body.history[0]]).toMatchObject([
    'MERCHANT_ACCEPTED',
    { action: 'label_failed', details: { reason: words } },
  ])
})

test('in a batch each such order is named, and the others get their labels', async () => {
  await allow(['Freight'], { roads: ['parcel'], classes: ['spirits'] })
  const wine = await accepted({ order_weight: 4, items: [anItem({ beverage_class: 'wine' })] })
  const unknown = await accepted({ order_weight: 4 })
  const batch = await labelBatches(desk, shop, desk.later).buy([unknown.id, wine.id])
  expect(reasonsIn(batch)).toEqual({ [unknown.id]: decided('Freight') })
  expect([soldFor(wine.id).length, soldFor(unknown.id).length]).toEqual([1, 0])
})

test('a carrier that a rule forbids is not even asked', async () => {
  await decide({ decision: 'changed', reason: 'No contract', value: { carrier: 'UPS', asks: 'deny' } })
  const words = 'UPS takes alcohol by contract only. An owner of the shop has changed this rule.'
  const order = await accepted({ order_weight: 4 })
  const { status, refusal } = await buy(order.id)
  expect([status, refusal.code, refusal.message]).toEqual([409, 'service_forbidden', words])
  expect(reasonsIn(await labelBatches(desk, shop, desk.later).buy([order.id]))).toEqual({ [order.id]: words })
  expect(easyPost.requests).toEqual([])
})

test('a service that USPS brings to the door is not bought of another carrier’s account while USPS is forbidden', async () => {
  const usps = 'US-USPS'
  easyPost.alsoSells = [
    { carrier: 'UPSSurePost', service: 'SurePostOver1Lb', rate: '5.10' },
    { carrier: 'UPSDAP', service: 'UPSGroundsaverGreaterThan1lb', rate: '6.05' },
  ]
  const order = await accepted()
  expect((await quote(order.id)).boxes).toMatchObject([{ service: 'SurePostOver1Lb' }])
  await decide({ decision: 'confirmed' }, usps)
  expect((await quote(order.id)).boxes).toMatchObject([{ service: 'Ground' }])
  expect((await buy(order.id)).status).toBe(200)
  expect(soldFor(order.id)).toHaveLength(1)

  await allow(['SurePost Over 1 Lb'])
  const other = await accepted()
  const forbidden = `Not by USPS, which takes no alcohol. ${decided('SurePost Over 1 Lb')}`
  expect((await quote(other.id)).refusal).toEqual({ code: 'service_forbidden', message: forbidden })
  expect((await buy(other.id)).refusal.message).toBe(forbidden)
  await decide({ decision: 'set_aside', reason: 'The next test begins without it' }, usps)
})
