import type { Order } from '@cellarhand/contract/orders'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDesk, type Desk, type Shop } from '../../../test/desk.ts'
import { eventually } from '../../../test/eventually.ts'
import { courierOrder, takeStep } from '../../../test/order-steps.ts'

let desk: Desk
let shop: Shop
beforeAll(async () => {
  // No courier moves before a slow machine has looked.
  desk = await openDesk({ COURIER_SANDBOX_PACE: '0.001' })
  shop = await desk.openShop()
})
afterAll(async () => desk.stop())

const orderTo = (plan: string) => courierOrder(desk, shop, plan)
const call = (order: Order) => takeStep(desk, shop, { order, step: 'request_courier' })
const cancel = (order: Order) => takeStep(desk, shop, { order, step: 'cancel_courier' })
const read = async ({ id }: Order) =>
  (await desk.call('GET /m/v2/orders/{id}', { as: shop.owner, params: { id } })).body
const asked = async ({ id }: Order) =>
  (
    await desk.owner.query<{ stage: string }>(
      `select s.stage from sandbox_couriers s join courier_deliveries d using (delivery_id) where d.order_id = $1`,
      [id],
    )
  ).rows
/** The background work skips its usual pause. */
const hurry = ({ id }: Order) =>
  desk.owner.query('update courier_deliveries set due_at = now() where order_id = $1', [id])
const correctAddress = async ({ id, recipient }: Order, street_1 = '7 Real Street') =>
  desk.call('PUT /m/v2/merchant/{tmk}/orders/{id}/recipient', {
    as: shop.member,
    params: { tmk: shop.key, id },
    body: {
      street_1,
      city: recipient.city,
      state: recipient.state,
      zipcode: recipient.zipcode,
      phone_number: recipient.phone_number ?? null,
    },
  })

test('T33 an address is not corrected while a courier is under way to it', async () => {
  const order = await orderTo('delivers')
  await call(order)
  const refused = await correctAddress(order)
  expect([refused.status, refused.refusal.code]).toEqual([409, 'courier_under_way'])
  await cancel(order)
  expect((await correctAddress(order)).body.recipient.street_1).toBe('7 Real Street')
})

test('T33 a lost courier to an address corrected since is cancelled, and the next one goes to the new address', async () => {
  const order = await orderTo('answer_lost')
  expect((await call(order)).refusal.code).toBe('courier_failed')
  expect((await correctAddress(order)).status).toBe(200)
  await hurry(order)
  await eventually(async () => expect(await asked(order)).toEqual([{ stage: 'cancelled' }]))
  expect((await read(order)).courier_info).toBeNull()
  expect((await call(order)).body.courier_info?.order_status).toBe('ORDER_REQUESTED')

  const other = await orderTo('answer_lost')
  await call(other)
  await correctAddress(other)
  expect((await call(other)).body.courier_info?.order_status).toBe('ORDER_REQUESTED')
  await hurry(other)
  await eventually(async () =>
    expect((await asked(other)).map(({ stage }) => stage).toSorted()).toEqual(['cancelled', 'requested']),
  )
  expect((await read(other)).courier_info?.order_status).toBe('ORDER_REQUESTED')
})

test('T33 a lost courier that is found after the order had its next one is cancelled, also if its address is right again', async () => {
  const order = await orderTo('answer_lost')
  await call(order)
  await correctAddress(order)
  expect((await call(order)).body.courier_info?.order_status).toBe('ORDER_REQUESTED')
  await cancel(order)
  expect((await correctAddress(order, order.recipient.street_1)).status).toBe(200)
  await hurry(order)
  await eventually(async () =>
    expect((await asked(order)).map(({ stage }) => stage)).toEqual(['cancelled', 'cancelled']),
  )
  expect((await read(order)).courier_info?.order_status).toBe('ORDER_CANCELLED')
})

test('a lost courier for an order that a rule holds by now is cancelled', async () => {
  const order = await orderTo('answer_lost')
  expect((await call(order)).refusal.code).toBe('courier_failed')
  const decide = async (body: object) =>
    desk.call('PUT /m/v2/merchant/{tmk}/duties/{rule}', {
      as: shop.owner,
      params: { tmk: shop.key, rule: 'US-HOME-STATE' },
      body,
    })
  const reason = 'We deliver beer alone'
  await decide({ decision: 'changed', applies: { roads: ['local'], classes: ['beer'] }, reason })
  await hurry(order)
  await eventually(async () => expect(await asked(order)).toEqual([{ stage: 'cancelled' }]))
  expect((await read(order)).courier_info).toBeNull()
  await decide({ decision: 'set_aside', reason })
})
