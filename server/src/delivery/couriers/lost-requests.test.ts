import { createHmac } from 'node:crypto'
import type { Order } from '@cellarhand/contract/orders'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTurnableDesk, type Shop, type TurnableDesk } from '../../../test/desk.ts'
import { holdRows } from '../../../test/database/held-rows.ts'
import { eventually } from '../../../test/eventually.ts'
import { leaseSeconds } from '#platform/jobs/claim.ts'
import { counterOf, courierOrder, takeStep } from '../../../test/order-steps.ts'

let desk: TurnableDesk
let shop: Shop
beforeAll(async () => {
  desk = await openTurnableDesk()
  shop = await desk.openShop()
})
afterAll(async () => desk.stop())

const orderTo = (plan: string) => courierOrder(desk, shop, plan)
const call = (order: Order) => takeStep(desk, shop, { order, step: 'request_courier' })
const read = async ({ id }: Order) =>
  (await desk.call('GET /m/v2/orders/{id}', { as: shop.owner, params: { id } })).body
const deliveries = async ({ id }: Order) =>
  (
    await desk.owner.query<{ state: string; delivery_id: string }>(
      'select state, delivery_id from courier_deliveries where order_id = $1 order by attempt',
      [id],
    )
  ).rows
/** The background work skips its usual pause. */
const hurry = ({ id }: Order) =>
  desk.owner.query('update courier_deliveries set due_at = now() where order_id = $1', [id])

/** The background work looks now, and not only every second. */
async function soon<T>(check: () => Promise<T>): Promise<T> {
  await desk.turn(1_000)
  return eventually(check)
}

/** The background work has asked the service, which knows nothing of it, and will ask again later. */
async function lookedFor(order: Order): Promise<void> {
  await hurry(order)
  const waits = async () =>
    (
      await desk.owner.query(
        "select 1 from courier_deliveries where order_id = $1 and due_at > now() + interval '10 s'",
        [order.id],
      )
    ).rows
  await soon(async () => expect(await waits()).toHaveLength(1))
}

test('a lost request is repeated under the same name, or given up by itself once it cannot arrive any more', async () => {
  const order = await orderTo('request_lost')
  await call(order)
  await call(order)
  expect(await deliveries(order)).toMatchObject([{ state: 'unknown' }])
  await lookedFor(order)
  expect(await deliveries(order)).toMatchObject([{ state: 'unknown' }])
  await desk.turn(121_000)
  await soon(async () => expect(await deliveries(order)).toMatchObject([{ state: 'refused' }]))
  expect((await read(order)).courier_info).toBeNull()
})

test('a lost request that was tried again can still arrive, however long ago the first try was', async () => {
  const order = await orderTo('request_lost')
  await call(order)
  await desk.turn(100_000)
  await call(order)
  await desk.turn(30_000)
  await lookedFor(order)
  expect(await deliveries(order)).toMatchObject([{ state: 'unknown' }])
})

test('news of a courier whose request was lost leads to it at once', async () => {
  const order = await orderTo('answer_lost')
  expect((await call(order)).status).toBe(502)
  const [lost] = await deliveries(order)
  // Or the usual look would come while a busy machine is slow.
  await desk.owner.query(
    "update courier_deliveries set due_at = now() + interval '1 hour' where order_id = $1",
    [order.id],
  )
  const body = JSON.stringify({ event: 'delivery.changed', delivery_id: lost?.delivery_id })
  const signature = createHmac('sha256', desk.config.sessionSecret).update(body).digest('hex')
  await desk.send('POST', '/providers/v1/couriers/sandbox/events', {
    body,
    headers: { 'x-sandbox-signature': signature },
  })
  const waiting =
    "select 1 from courier_deliveries where order_id = $1 and state = 'unknown' and due_at > now() + interval '50 minutes'"
  expect((await desk.owner.query(waiting, [order.id])).rows).toEqual([])
  await soon(async () => expect(await deliveries(order)).toMatchObject([{ state: 'live' }]))
})

test('T28 a cancel that the service refused is not repeated behind the clerk, who was told so', async () => {
  const order = await orderTo('delivers')
  await call(order)
  await desk.owner.query(
    "update sandbox_couriers set stage = 'picked_up', next_at = null where delivery_id ^@ $1",
    [`${order.id}-`],
  )
  const refused = await takeStep(desk, shop, { order: await read(order), step: 'cancel_courier' })
  expect([refused.status, refused.refusal.code]).toEqual([422, 'courier_refused'])
  const wishes = 'select cancel_asked_at from courier_deliveries where order_id = $1'
  expect((await desk.owner.query(wishes, [order.id])).rows).toEqual([{ cancel_asked_at: null }])
})

test('a courier whose request the service takes late is found, and no second one is asked for meanwhile', async () => {
  const order = await orderTo('request_lost')
  await call(order)
  await lookedFor(order)
  await call(order)
  const [{ delivery_id: name } = { delivery_id: '' }, ...others] = await deliveries(order)
  expect(others).toEqual([])
  await desk.owner.query(
    `insert into sandbox_couriers (delivery_id, stage, plan, packages) values ($1, 'requested', 'delivers', 1)`,
    [name],
  )
  await hurry(order)
  await soon(async () => expect((await read(order)).courier_info?.order_status).toBe('ORDER_REQUESTED'))
  expect(await deliveries(order)).toHaveLength(1)
})

test('T28 a cancel holds its delivery by the usual lease while the service is silent, so that a dead process leaves it soon', async () => {
  const order = await orderTo('delivers')
  await call(order)
  const [{ delivery_id: name } = { delivery_id: '' }] = await deliveries(order)
  const row = await holdRows(desk, 'select from sandbox_couriers where delivery_id = $1 for update', [name])
  const cancelling = takeStep(desk, shop, { order, step: 'cancel_courier' })
  await row.waiting(1)
  const leaseLeft = async () => {
    const { rows } = await desk.owner.query<{ seconds: number }>(
      'select extract(epoch from due_at - now())::float8 as seconds from courier_deliveries where order_id = $1',
      [order.id],
    )
    return rows[0]?.seconds ?? 0
  }
  for (let seconds = 0; seconds < 16; seconds += 2) {
    await desk.turn(2_000)
    await eventually(async () => expect(await leaseLeft()).toBeGreaterThan(5))
    expect(await leaseLeft()).toBeLessThanOrEqual(leaseSeconds)
  }
  await row.release()
  expect((await cancelling).body.courier_info?.order_status).toBe('ORDER_CANCELLED')
})

test('T28 a cancel whose answer comes late leaves the courier that was requested after it', async () => {
  const order = await courierOrder(desk, shop, 'delivers')
  await call(order)
  const [{ delivery_id: name } = { delivery_id: '' }] = await deliveries(order)
  const row = await holdRows(desk, 'select from sandbox_couriers where delivery_id = $1 for update', [name])
  const cancelling = takeStep(desk, shop, { order, step: 'cancel_courier' })
  await row.waiting(1)
  // The service tells the order before it answers the clerk.
  await counterOf(desk, { key: shop.key, as: shop.member }, order).courier('ORDER_CANCELLED')
  expect((await call(order)).body.courier_info?.order_status).toBe('ORDER_REQUESTED')
  await row.release()
  expect((await cancelling).body.courier_info?.order_status).toBe('ORDER_REQUESTED')
  await soon(async () =>
    expect(await deliveries(order)).toMatchObject([{ state: 'over' }, { state: 'live' }]),
  )
  expect((await read(order)).courier_info?.order_status).toBe('ORDER_REQUESTED')
})

test('a late proof of a courier whose bottles came back checks no ID for the next courier', async () => {
  const order = await courierOrder(desk, shop, 'delivers')
  await call(order)
  const at = counterOf(desk, { key: shop.key, as: shop.member }, order)
  for (const state of ['ORDER_ASSIGNED', 'ORDER_PICKED_UP'] as const) await at.courier(state)
  await desk.owner.query(
    `update sandbox_couriers set stage = 'delivered', next_at = null
     where delivery_id = (select delivery_id from courier_deliveries where order_id = $1)`,
    [order.id],
  )
  expect((await at.bringBack({ reason: 'under_21' })).status).toBe(200)
  expect((await call(order)).body.courier_info?.order_status).toBe('ORDER_REQUESTED')
  await hurry(order)
  const proof = async () =>
    (await desk.owner.query('select signed_by from courier_proofs where order_id = $1', [order.id])).rows
  await soon(async () => expect(await proof()).toEqual([{ signed_by: null }]))
  await desk.turn(31_000)
  await soon(async () => expect(await proof()).toEqual([{ signed_by: 'A recipient of the sandbox' }]))
  expect((await read(order)).age_check?.result).toBe('refused')
})

test('a courier who is still under way for an order that was brought back is cancelled at the service', async () => {
  const order = await courierOrder(desk, shop, 'delivers')
  await call(order)
  const at = counterOf(desk, { key: shop.key, as: shop.member }, order)
  for (const state of ['ORDER_ASSIGNED', 'ORDER_PICKED_UP'] as const) await at.courier(state)
  const stage = `stage = 'requested', next_at = null
     where delivery_id = (select delivery_id from courier_deliveries where order_id = $1)`
  await desk.owner.query(`update sandbox_couriers set ${stage}`, [order.id])
  expect((await at.bringBack({ reason: 'under_21' })).status).toBe(200)
  expect((await read(order)).status).toBe('MERCHANT_ACCEPTED')
  const seen = async () =>
    (
      await desk.owner.query(
        `select s.stage, d.state from courier_deliveries d join sandbox_couriers s using (delivery_id) where d.order_id = $1`,
        [order.id],
      )
    ).rows
  await soon(async () => expect(await seen()).toEqual([{ stage: 'cancelled', state: 'over' }]))
})
