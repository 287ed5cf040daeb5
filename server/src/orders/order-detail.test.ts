import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDesk, type Desk, type Shop } from '../../test/desk.ts'
import { giveCourierAndParcel, orderIn, takeStep, twoItems } from '../../test/order-steps.ts'

let desk: Desk
let shop: Shop
beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
})
afterAll(async () => desk.stop())

const detail = async (id: string) =>
  (await desk.call('GET /m/v2/orders/{id}', { as: shop.member, params: { id } })).body

test('API-030 ENT-021 ENT-027 ENT-030 an order read by its number has everything that was sent', async () => {
  const sent = { courier_estimate_id: 'est-1', promo_code: 'VINE10', gift_message: { message: 'Für Zoë 🎂' } }
  const order = await desk.order(shop, { ...sent, items: twoItems() })
  const read = await detail(order.id)
  expect(read).toMatchObject({ ...sent, aux_data: { courier_pick_instructions: null }, history: [{}] })
  expect(read.items.map(({ id, product, quantity }) => [id, product?.id, quantity])).toEqual([
    ['line-1', 'p-1', 1],
    ['line-2', 'p-2', 2],
  ])
  const { status } = await desk.call('GET /m/v2/orders/{id}', {
    as: (await desk.openShop()).owner,
    params: { id: order.id },
  })
  expect(status).toBe(404)
})

test('ENT-018 ENT-019 ENT-045 GAP-57 the reason of a reject is the newest comment, in the list and by number', async () => {
  const order = await orderIn(desk, shop, { status: 'SUBMITTED' })
  const { body } = await desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/reject', {
    as: shop.member,
    params: { tmk: shop.key, id: order.id },
    body: { reason: { code: 'other', value: ' The last bottle broke ' } },
  })
  expect(body.status_comment).toBe('The last bottle broke')
  const list = await desk.call('GET /m/v2/merchant/{tmk}/orders/optimized', {
    as: shop.member,
    params: { tmk: shop.key },
    query: { 'filter[tab]': 'cancelled' },
  })
  const read = await detail(order.id)
  for (const each of [list.body.items.find(({ id }) => id === order.id), read])
    expect([each?.status_comment, each?.status_recent_comment]).toEqual([
      body.status_comment,
      body.status_comment,
    ])
})

test('ENT-028 an order out with a courier has the courier’s news', async () => {
  const order = await orderIn(desk, shop, { status: 'MERCHANT_ACCEPTED', method: 'on_demand' })
  expect((await detail(order.id)).courier_info).toBeNull()
  await giveCourierAndParcel(desk, order)
  await takeStep(desk, shop, { order, step: 'courier_pick_up' })
  expect((await detail(order.id)).courier_info).toMatchObject({
    provider: 'Fleet',
    number_of_packages: 1,
    order_status: 'ORDER_PICKED_UP',
  })
})

test('of an order that was changed hundreds of times the newest two hundred changes are told', async () => {
  const order = await orderIn(desk, shop, { status: 'SUBMITTED' })
  await desk.owner.query(
    `insert into order_history (merchant_id, order_id, version, action, from_status, to_status, actor_kind, actor_name)
     select $1, $2, n, 'note-' || n, 'SUBMITTED', 'SUBMITTED', 'merchant', 'Ana' from generate_series(2, 700) n`,
    [shop.key, order.id],
  )
  const { history } = await detail(order.id)
  expect(history.map(({ action }) => action)).toEqual(
    Array.from({ length: 200 }, (_, index) => `note-${700 - index}`),
  )
})
