import type { Order } from '@cellarhand/contract/orders'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { dayIn } from '#platform/clock/zoned-time.ts'
import { marketplaceCredential, openDesk, type Desk, type Shop } from '../../test/desk.ts'
import { orderIn, takeStep, type Step } from '../../test/order-steps.ts'
import { closeShippedOrders } from './public.ts'

let desk: Desk
let shop: Shop
beforeAll(async () => {
  desk = await openDesk()
})
afterAll(() => desk.stop())
beforeEach(async () => {
  shop = await desk.openShop()
})

const back = ({ id, version }: Order, bottles: number, more: { key?: string; seen?: number } = {}) =>
  desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/came_back', {
    as: shop.member,
    ...(more.key !== undefined && { headers: { 'idempotency-key': more.key } }),
    params: { tmk: shop.key, id },
    body: { bottles, version: more.seen ?? version },
  })

const undo = ({ id, version }: Order) =>
  desk.call('DELETE /m/v2/merchant/{tmk}/orders/{id}/came_back', {
    as: shop.member,
    params: { tmk: shop.key, id },
    body: { version },
  })

const track = ({ id, version }: Order, number: string) =>
  desk.call('PUT /m/v2/merchant/{tmk}/orders/{id}/tracking', {
    as: shop.member,
    params: { tmk: shop.key, id },
    body: { version, tracking_provider: 'UPS', tracking_id: number },
  })

const shipLongAgo = () =>
  desk.owner.query("update orders set shipped_at = now() - interval '15 days' where merchant_id = $1", [
    shop.key,
  ])

async function detail(id: string) {
  return (await desk.call('GET /m/v2/orders/{id}', { as: shop.member, params: { id } })).body
}

async function figures() {
  const { body } = await desk.call('GET /m/v2/merchant/{tmk}/today', {
    as: shop.member,
    params: { tmk: shop.key },
    query: {},
  })
  return body
}

/** Three bottles in two lines, with a carrier who gave up. */
async function returned(): Promise<Order> {
  const { id } = await orderIn(desk, shop, { status: 'MERCHANT_SHIPPED' })
  const { status, body } = await desk.call('POST /marketplace/v1/orders/{id}/carrier_events', {
    as: marketplaceCredential,
    params: { id },
    body: { tracking_code: '1Z999', event: 'failed' },
  })
  expect(status).toBe(200)
  return body
}

test('a parcel that the carrier brought back is noted with its bottles, by whom and when; its status stays', async () => {
  const order = await returned()
  const { status, body } = await back(order, 2)
  expect(status).toBe(200)
  expect(body).toMatchObject({ status: 'MERCHANT_SHIPPED', came_back: { bottles: 2, of: 3 } })
  const { history, came_back: noted } = await detail(order.id)
  expect(history[0]).toMatchObject({
    action: 'came_back',
    party: 'merchant',
    from: 'MERCHANT_SHIPPED',
    to: 'MERCHANT_SHIPPED',
    details: { bottles: 2, of: 3 },
  })
  expect(Math.abs(Date.parse(noted?.at ?? '') - Date.parse(history[0]?.at ?? ''))).toBeLessThan(60_000)
  const rest = await back(body, 1)
  expect(rest.body.came_back).toMatchObject({ bottles: 3, of: 3 })
  const day = await figures()
  expect(day.day).toBe(dayIn(Date.now(), day.timezone))
  expect(day.came_back.map(({ id, bottles, of, by }) => [id, bottles, of, by])).toEqual([
    [order.id, 1, 3, history[0]?.actor],
    [order.id, 2, 3, history[0]?.actor],
  ])
})

test('no more comes back than left, and a second clerk is told of the first', async () => {
  const order = await returned()
  const many = await back(order, 4)
  expect([many.status, many.refusal['errors']]).toEqual([
    400,
    { bottles: 'Only 3 of this order can come back' },
  ])
  const first = await back(order, 3)
  expect(first.status).toBe(200)
  const second = await back(order, 3)
  expect([second.status, second.refusal.code, second.refusal['latest']]).toMatchObject([
    409,
    'invalid_transition',
    { action: 'came_back' },
  ])
  const again = await back(first.body, 1)
  expect([again.status, again.refusal.message]).toEqual([409, 'No bottles of this order are away.'])
})

test('it repeats nothing under the same key', async () => {
  const order = await returned()
  const [one, two] = [await back(order, 1, { key: 'back-1' }), await back(order, 1, { key: 'back-1' })]
  expect([one.status, two.status, two.body.came_back?.bottles]).toEqual([200, 200, 1])
})

const roads: readonly (readonly [road: string, method: string, steps: readonly Step[], away: boolean])[] = [
  ['a parcel on its way', 'shipped', ['accept', 'save_tracking'], true],
  ['a delivered parcel', 'shipped', ['accept', 'save_tracking', 'carrier_deliver'], true],
  ['a parcel cancelled on its way', 'shipped', ['accept', 'save_tracking', 'cancel'], true],
  ['one cancelled on its way and refunded', 'shipped', ['accept', 'save_tracking', 'cancel', 'refund'], true],
  ['one disputed after the hand-over', 'on_demand', ['accept', 'send_out', 'deliver', 'dispute'], true],
  ['a local order cancelled on its way', 'on_demand', ['accept', 'send_out', 'cancel'], true],
  ['a local order on its way, which is brought back', 'on_demand', ['accept', 'send_out'], false],
  [
    'one that was brought back and then cancelled',
    'on_demand',
    ['accept', 'send_out', 'bring_back', 'cancel'],
    false,
  ],
  ['one that never left', 'shipped', ['accept', 'cancel'], false],
  ['one that was rejected and refunded', 'shipped', ['reject', 'refund'], false],
  ['one to pack', 'shipped', ['accept'], false],
]

test.each(roads)(
  'bottles of %s (%s) come back or not by where they are',
  async (_, method, ...[steps, isAway]) => {
    let order = await orderIn(desk, shop, { status: 'SUBMITTED', method })
    for (const step of steps) {
      const answer = await takeStep(desk, shop, { order, step })
      expect([step, answer.status]).toEqual([step, 200])
      order = answer.body
    }
    const { version, status: before } = await detail(order.id)
    const answer = await back(order, 1, { seen: version })
    expect(answer.status).toBe(isAway ? 200 : 409)
    expect((await detail(order.id)).status).toBe(before)
  },
)

test('what is back in the shop is not closed as delivered, neither by the clock nor by the carrier', async () => {
  const [whole, part] = [await returned(), await returned()]
  expect((await back(whole, 3)).status).toBe(200)
  expect((await back(part, 1)).status).toBe(200)
  await shipLongAgo()
  expect(await closeShippedOrders(desk.app.db)).toBe(1)
  expect((await detail(part.id)).status).toBe('CLOSED')
  const { version } = await detail(whole.id)
  const told = await takeStep(desk, shop, { order: { ...whole, version }, step: 'carrier_deliver' })
  expect([told.status, told.body.status]).toEqual([200, 'MERCHANT_SHIPPED'])
})

test('a note by mistake is taken back: nothing is back, Today says nothing, and the clock closes the order again', async () => {
  const order = await returned()
  const noted = await back(order, 3)
  const undone = await undo(noted.body)
  expect([undone.status, undone.body.came_back]).toEqual([200, undefined])
  expect((await detail(order.id)).history[0]).toMatchObject({ action: 'not_back', party: 'merchant' })
  expect((await figures()).came_back).toEqual([])
  await shipLongAgo()
  expect(await closeShippedOrders(desk.app.db)).toBe(1)
  expect((await detail(order.id)).status).toBe('CLOSED')
})

test('nothing is taken back where nothing was noted, nor what another clerk has noted since', async () => {
  const order = await returned()
  const none = await undo(order)
  expect([none.status, none.refusal.message]).toEqual([
    409,
    'No bottles of this order are noted as back, so there is nothing to undo.',
  ])
  const first = await back(order, 1)
  expect((await back(first.body, 1)).status).toBe(200)
  const late = await undo(first.body)
  expect([late.status, late.refusal['latest']]).toMatchObject([409, { action: 'came_back' }])
})

test('a parcel that is sent again with another number is away again, and closes like any other', async () => {
  const order = await returned()
  const noted = await back(order, 3)
  await shipLongAgo()
  const sent = await track(noted.body, '1Z 555')
  expect([sent.status, sent.body.status, sent.body.came_back]).toEqual([200, 'MERCHANT_SHIPPED', undefined])
  expect((await detail(order.id)).history[0]).toMatchObject({
    action: 'correct_tracking',
    details: { was: '1Z999', tracking_code: '1Z555', sent_again: '3 of 3 bottles' },
  })
  expect(await closeShippedOrders(desk.app.db), 'its days on the road begin anew').toBe(0)
  const told = await desk.call('POST /marketplace/v1/orders/{id}/carrier_events', {
    as: marketplaceCredential,
    params: { id: order.id },
    body: { tracking_code: '1Z555', event: 'delivered' },
  })
  expect([told.status, told.body.status]).toEqual([200, 'CLOSED'])
})

test('the number with which a parcel came back sends nothing again, and is refused with the way out', async () => {
  const order = await returned()
  const noted = await back(order, 3)
  const same = await track(noted.body, '1z999')
  expect([same.status, same.refusal['errors']]).toEqual([
    400,
    { tracking_id: 'It came back with this number. If it left with it again, press Undo.' },
  ])
})

test('a clerk who corrects a number while a colleague notes the bottles as back is told so, and sends nothing again', async () => {
  const order = await returned()
  expect((await back(order, 3)).status).toBe(200)
  const late = await track(order, '1Z998')
  expect([late.status, late.refusal['latest']]).toMatchObject([409, { action: 'came_back' }])
  expect((await detail(order.id)).came_back).toMatchObject({ bottles: 3 })
})

test('of several parcels, those that did not come back stay on their way', async () => {
  const order = await returned()
  const noted = await back(order, 1)
  const sent = await track(noted.body, '1Z555')
  expect(sent.body.shipment_info.map(({ tracking_code }) => tracking_code)).toEqual(['1Z555', '1Z999'])
  const told = await desk.call('POST /marketplace/v1/orders/{id}/carrier_events', {
    as: marketplaceCredential,
    params: { id: order.id },
    body: { tracking_code: '1Z999', event: 'failed' },
  })
  expect(told.status).toBe(200)
})

test('a mistaken note of a second return leaves the first in the figures of its day', async () => {
  const first = await back(await returned(), 3)
  const sent = await track(first.body, '1Z555')
  const second = await back(sent.body, 3)
  expect((await undo(second.body)).status).toBe(200)
  expect((await figures()).came_back.map(({ bottles }) => bottles)).toEqual([3])
})

test('the stock list stays as it is', async () => {
  const stock = async () =>
    (await desk.owner.query('select count(*)::int as n, max(xmin::text) as x from offerings')).rows
  const before = await stock()
  expect((await back(await returned(), 3)).status).toBe(200)
  expect(await stock()).toEqual(before)
})
