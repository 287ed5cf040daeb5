import { createHmac } from 'node:crypto'
import type { Order } from '@cellarhand/contract/orders'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  marketplaceCredential,
  openTurnableDesk,
  type Desk,
  type Person,
  type Shop,
  type TurnableDesk,
} from '../../../test/desk.ts'
import { eventually } from '../../../test/eventually.ts'
import { orderIn, takeStep } from '../../../test/order-steps.ts'
import { anItem } from '../../../test/orders.ts'
import { courierSentinels } from './courier-sentinels.ts'

let desk: TurnableDesk
/** The same server, with couriers that take no time. */
let quick: TurnableDesk
let shop: Shop
beforeAll(async () => {
  desk = await openTurnableDesk()
  quick = await openTurnableDesk({ COURIER_SANDBOX_PACE: '1000' })
})
beforeEach(async () => {
  shop = await desk.openShop()
})
afterAll(async () => {
  await desk.stop()
  await quick.stop()
})

interface At {
  readonly at?: Desk
  readonly shop?: Shop
}

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const local = { method: 'on_demand', courier_estimate_id: 'est-1' }

async function orderTo(plan: string, { at = desk, shop: from = shop }: At = {}): Promise<Order> {
  const street_1 = courierSentinels.find((sentinel) => sentinel.plan === plan)?.street ?? '1 Quiet Street'
  const recipient = {
    first_name: 'Dee',
    last_name: 'Nakamura',
    street_1,
    city: 'New York',
    state: 'NY',
    zipcode: '10005',
    phone_number: '+12125550123',
  }
  return orderIn(at, from, { status: 'MERCHANT_ACCEPTED', ...local, recipient })
}

interface Wish {
  as?: Person
  key?: string
  at?: Desk
  shop?: Shop
  courier_info?: object
}

const call = async (order: Order, { as, key, at = desk, shop: from = shop, courier_info = {} }: Wish = {}) =>
  at.call('POST /m/v2/merchant/{tmk}/orders/{id}/courier', {
    as: as ?? from.member,
    params: { tmk: from.key, id: order.id },
    body: { courier_info: { dispatch_type: 'immediate', number_of_package: 2, ...courier_info } },
    headers: key === undefined ? {} : { 'idempotency-key': key },
  })
const cancel = async (order: Order) =>
  desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/courier/cancel', {
    as: shop.manager,
    params: { tmk: shop.key, id: order.id },
  })
const refresh = async (order: Order) =>
  desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/courier/refresh', {
    as: shop.member,
    params: { tmk: shop.key, id: order.id },
  })
const read = async ({ id }: Order, { at = desk, shop: from = shop }: At = {}) =>
  (await at.call('GET /m/v2/orders/{id}', { as: from.owner, params: { id } })).body
const deliveries = async ({ id }: Order, at = desk) =>
  (await at.owner.query('select state, stage, delivery_id from courier_deliveries where order_id = $1', [id]))
    .rows as { state: string; stage: string | null; delivery_id: string }[]
const asked = async (order: Order, at = desk) => {
  const names = (await deliveries(order, at)).map(({ delivery_id }) => delivery_id)
  const { rows } = await at.owner.query('select stage from sandbox_couriers where delivery_id = any ($1)', [
    names,
  ])
  return rows as { stage: string }[]
}
/** The background work skips its usual pause. */
const hurry = async ({ id }: Order) =>
  desk.owner.query('update courier_deliveries set due_at = now() where order_id = $1', [id])

/** The background work looks now, and not only every second. */
async function soon<T>(check: () => Promise<T>): Promise<T> {
  await desk.turn(1_000)
  return eventually(check)
}

test('T17 API-037 ENT-031 ENT-033 CONST-004 DELIV-012 a courier is requested with bags and instructions', async () => {
  const order = await orderTo('delivers')
  const { status, body } = await call(order, { courier_info: { pickup_instructions: ' Side door ' } })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    status: 'MERCHANT_ACCEPTED',
    version: order.version + 1,
    courier_info: { provider: 'Sandbox Courier', number_of_packages: 2, order_status: 'ORDER_REQUESTED' },
    aux_data: { courier_pick_instructions: 'Side door' },
  })
  for (const time of ['estimated_pickup_time', 'estimated_delivery_time', 'requested_pickup_time'] as const)
    expect(Date.parse(body.courier_info?.[time] ?? '')).toBeGreaterThan(Date.now() - 60_000)
  expect((await read(order)).history[0]).toMatchObject({
    action: 'request_courier',
    actor: expect.stringContaining('user'),
  })
})

test('DELIV-012 DELIV-013 GAP-59 bags are a whole number from 1, instructions may be left out, and any other field is refused', async () => {
  const order = await orderTo('delivers')
  for (const courier_info of [
    { number_of_package: 0 },
    { number_of_package: 1.5 },
    { number_of_package: '2' },
    { number_of_package: null },
    { number_of_packages: 2 },
    { dispatch_type: 'later' },
    { pickup_instructions: 'x'.repeat(501) },
  ])
    expect([courier_info, (await call(order, { courier_info })).status]).toEqual([courier_info, 400])
  expect(await deliveries(order)).toEqual([])
  expect((await call(order)).status).toBe(200)
})

test('DELIV-014 GAP-138 ENT-030 saved instructions appear in the next orders; others do not', async () => {
  const first = await orderTo('delivers')
  await call(first, { courier_info: { pickup_instructions: 'Ring twice', save_instructions: true } })
  expect((await orderTo('delivers')).aux_data.courier_pick_instructions).toBe('Ring twice')
  await call(await orderTo('delivers'), { courier_info: { pickup_instructions: 'Only today' } })
  expect((await orderTo('delivers')).aux_data.courier_pick_instructions).toBe('Ring twice')
})

test('T17 GAP-110 GAP-139 a courier is not available without an estimate, twice, or for what is not ready', async () => {
  const refused = async (order: Order) => {
    const answer = await call(order)
    return [answer.status, answer.refusal.code]
  }
  const plain = await orderIn(desk, shop, { status: 'MERCHANT_ACCEPTED', method: 'on_demand' })
  expect(await refused(plain)).toEqual([409, 'courier_not_available'])
  const items = [anItem({ aux_data: { preorder_available_date: day(12) } })]
  const presale = await orderIn(desk, shop, { status: 'MERCHANT_ACCEPTED', ...local, items })
  expect(await refused(presale)).toEqual([409, 'presale_not_ready'])
  expect(await deliveries(presale)).toEqual([])
  const twice = await orderTo('delivers')
  await call(twice)
  expect(await refused(twice)).toEqual([409, 'courier_not_available'])
  const fresh = await orderIn(desk, shop, { status: 'SUBMITTED', ...local })
  expect(await refused(fresh)).toEqual([409, 'invalid_transition'])
  const parcel = await orderIn(desk, shop, { status: 'MERCHANT_ACCEPTED', courier_estimate_id: 'est-1' })
  expect(await refused(parcel)).toEqual([409, 'invalid_transition'])
})

test('two clerks, a double click and a lost answer request one courier', async () => {
  const order = await orderTo('delivers')
  const answers = await Promise.all([
    call(order),
    call(order, { as: shop.owner }),
    call(order, { as: shop.manager }),
  ])
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(2)
  expect(await asked(order)).toHaveLength(1)

  const again = await orderTo('delivers')
  const first = await call(again, { key: 'one' })
  const second = await call(again, { key: 'one' })
  expect([second.status, second.text]).toEqual([200, first.text])
  expect(await asked(again)).toHaveLength(1)
})

test.each([
  ['too_far', 422, 'This address is too far away for a courier.'],
  ['not_covered', 422, 'No courier serves this address.'],
  ['closed', 422, 'Couriers do not deliver at this hour.'],
  ['busy', 422, 'All couriers are busy right now. Please try again in a few minutes.'],
  ['broken', 502, 'Sandbox Courier cannot be reached. Nothing was done. Please try again in a few minutes.'],
])(
  'DELIV-015 GAP-137 GAP-156 %s: the first error gives the reason, and the order is free again',
  async (plan, status, message) => {
    const order = await orderTo(plan)
    const answer = await call(order)
    expect([answer.status, answer.refusal.message, answer.refusal.errors]).toEqual([
      status,
      message,
      [{ message }],
    ])
    expect((await read(order)).courier_info).toBeNull()
    expect(await asked(order)).toEqual([])
    expect((await call(order)).status).toBe(status)
  },
)

/** The order's couriers stay where they are, because a slow machine may look late. */
const stopMoving = ({ id }: Order, also = '') =>
  desk.owner.query(`update sandbox_couriers set ${also} next_at = null where delivery_id ^@ $1`, [`${id}-`])

test('a request whose answer got lost is found again, by the background work or by the clerk’s next try', async () => {
  const order = await orderTo('answer_lost')
  const answer = await call(order)
  expect([answer.status, answer.refusal.code]).toEqual([502, 'courier_failed'])
  expect(answer.refusal.message).toContain('not known yet')
  await stopMoving(order)
  await hurry(order)
  await soon(async () => expect((await read(order)).courier_info?.order_status).toBe('ORDER_REQUESTED'))
  expect((await read(order)).history[0]).toMatchObject({ action: 'request_courier' })

  const other = await orderTo('answer_lost')
  await call(other)
  expect((await call(other)).body.courier_info?.order_status).toBe('ORDER_REQUESTED')
  for (const one of [order, other]) expect(await asked(one)).toHaveLength(1)
})

test('a process that died during the request leaves a request that is found again', async () => {
  const order = await orderTo('delivers')
  await call(order)
  // The row when the process died: asked, but no answer stored.
  await desk.owner.query(`update courier_deliveries set state = 'asking', stage = null where order_id = $1`, [
    order.id,
  ])
  await desk.owner.query(
    `update orders set document = (document::jsonb || '{"courier_info": null}')::json where order_id = $1`,
    [order.id],
  )
  await hurry(order)
  await soon(async () => expect((await read(order)).courier_info?.order_status).toBe('ORDER_REQUESTED'))
  expect(await asked(order)).toHaveLength(1)
})

test('T18 API-038 GAP-18 VIEW-032 a refresh asks the courier service and returns its state, for accepted orders only', async () => {
  const order = await orderTo('delivers')
  expect((await refresh(order)).status).toBe(404)
  await call(order)
  const { status, body } = await refresh(order)
  expect([status, body.courier_info.order_status]).toEqual([202, 'ORDER_REQUESTED'])
  await takeStep(desk, shop, { order, step: 'submit_payment' })
  expect((await refresh(order)).refusal.code).toBe('invalid_transition')
})

test('T28 a courier is cancelled once, and another may be requested', async () => {
  const order = await orderTo('delivers')
  expect((await cancel(order)).status).toBe(409)
  await call(order)
  const { status, body } = await cancel(order)
  expect([status, body.courier_info?.order_status]).toEqual([200, 'ORDER_CANCELLED'])
  expect((await cancel(order)).body.version).toBe(body.version)
  expect((await read(order)).history[0]).toMatchObject({ action: 'cancel_courier' })
  expect(await asked(order)).toEqual([{ stage: 'cancelled' }])
  expect((await call(order)).body.courier_info?.order_status).toBe('ORDER_REQUESTED')
  expect(await asked(order)).toHaveLength(2)
})

test('T28 once the courier has the bottles it is too late, and the clerk reads so', async () => {
  const order = await orderTo('delivers')
  await call(order)
  await stopMoving(order, "stage = 'picked_up',")
  const answer = await cancel(order)
  expect([answer.status, answer.refusal.code]).toEqual([422, 'courier_refused'])
  await hurry(order)
  await soon(async () => expect((await read(order)).status).toBe('MERCHANT_SHIPPED'))
})

test.each([
  ['rejected by the shop', (order: Order) => takeStep(desk, shop, { order, step: 'reject' })],
  ['cancelled by the marketplace', (order: Order) => takeStep(desk, shop, { order, step: 'cancel' })],
  ['held for its payment', (order: Order) => takeStep(desk, shop, { order, step: 'decline_payment' })],
])('T05 T13 T24 the courier of an order that was %s is told', async (_, end) => {
  const order = await orderTo('delivers')
  await call(order)
  expect((await end(order)).status).toBe(200)
  await soon(async () => expect(await asked(order)).toEqual([{ stage: 'cancelled' }]))
  expect((await read(order)).courier_info?.order_status).toBe('ORDER_CANCELLED')
})

test('T13 T17 an order whose payment is approved after all gets another courier, and the first does not come', async () => {
  const order = await orderTo('delivers')
  await call(order)
  await takeStep(desk, shop, { order, step: 'decline_payment' })
  await takeStep(desk, shop, { order, step: 'approve_payment' })
  expect((await call(order)).body.courier_info?.order_status).toBe('ORDER_REQUESTED')
  await stopMoving(order)
  await soon(async () =>
    expect((await asked(order)).map(({ stage }) => stage).toSorted()).toEqual(['cancelled', 'requested']),
  )
  expect((await read(order)).courier_info?.order_status).toBe('ORDER_REQUESTED')
})

test('T13 a courier’s news about an order that may not ship is stored, and the server stops asking once it is over', async () => {
  const order = await orderTo('delivers')
  await call(order)
  // The cancel is stored but not due, so that the worker leaves the courier alone until the test is ready.
  await desk.owner.query(
    `update courier_deliveries set cancel_asked_at = now(), due_at = now() + interval '1 hour' where order_id = $1`,
    [order.id],
  )
  // An earlier release declined orders without cancelling the courier: the order still names it.
  const { rows } = await desk.owner.query<{ document: string }>(
    'select document::text from orders where order_id = $1',
    [order.id],
  )
  await takeStep(desk, shop, { order, step: 'decline_payment' })
  const stale = JSON.stringify({ ...JSON.parse(rows[0]?.document ?? ''), status: 'PAYMENT_DECLINED' })
  await desk.owner.query('update orders set document = $2 where order_id = $1', [order.id, stale])
  await desk.owner.query(
    `update sandbox_couriers set stage = 'delivered', next_at = null where delivery_id like $1`,
    [`${order.id}-%`],
  )
  await hurry(order)
  await soon(async () =>
    expect(await deliveries(order)).toMatchObject([{ state: 'over', stage: 'delivered' }]),
  )
  expect((await read(order)).status).toBe('PAYMENT_DECLINED')
})

test('T19 T22 GAP-136 a courier goes from request to door by itself, and every step is in the history once', async () => {
  const order = await orderTo('delivers')
  await call(order)
  // Stage by stage: a look that comes too late finds the courier further on, and the history tells what was found.
  for (const [seconds, action] of [
    [8, 'courier_move'],
    [25, 'courier_pick_up'],
    [40, 'courier_deliver'],
  ] as const) {
    await desk.turn(seconds * 1000)
    await eventually(async () => expect((await read(order)).history[0]?.action).toBe(action))
  }
  const { status, history, courier_info, delivery_info } = await read(order)
  expect(status).toBe('CLOSED')
  expect(history.map(({ action }) => action)).toEqual([
    'courier_deliver',
    'courier_pick_up',
    'courier_move',
    'request_courier',
    'accept',
    'submit',
  ])
  expect(courier_info?.order_status).toBe('ORDER_DELIVERED')
  expect(Date.parse(delivery_info?.delivered_on ?? '')).toBeGreaterThan(0)
  const page = await desk.send('GET', new URL(courier_info?.tracking_url ?? '').pathname)
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('Delivered')])
  expect((await desk.send('GET', '/demo/couriers/1-1-abcdef')).status).toBe(404)
})

test.each([
  ['never_found', 'ORDER_FAILED', 'No courier was found'],
  ['courier_cancels', 'ORDER_CANCELLED', 'The courier cancelled'],
  ['nobody_home', 'ORDER_FAILED', 'The courier found nobody there and brought it back'],
])(
  'T20 T30 ENT-032 %s: the order is the shop’s again, shows the reason, and may be sent again',
  async (plan, stage, reason) => {
    const there = { at: quick, shop: await quick.openShop() }
    const order = await orderTo(plan, there)
    await call(order, there)
    await quick.later(async () => expect((await read(order, there)).courier_info?.order_status).toBe(stage))
    expect(await read(order, there)).toMatchObject({
      status: 'MERCHANT_ACCEPTED',
      status_comment: reason,
    })
    expect((await call(order, there)).body.courier_info?.order_status).toBe('ORDER_REQUESTED')
  },
)

test('a courier’s news about an order that a clerk has sent out and closed changes nothing', async () => {
  const there = { at: quick, shop: await quick.openShop() }
  const order = await orderTo('delivers', there)
  await call(order, there)
  const step = (name: 'send_out' | 'deliver') => takeStep(quick, there.shop, { order, step: name })
  expect((await step('send_out')).status).toBe(200)
  expect((await step('deliver')).status).toBe(200)
  await quick.later(async () => expect(await deliveries(order, quick)).toMatchObject([{ state: 'over' }]))
  expect((await read(order, there)).status).toBe('CLOSED')
})

test('a callback counts only with its signature; a repeated or replayed one changes nothing', async () => {
  const order = await orderTo('delivers')
  await call(order)
  const [delivery] = await deliveries(order)
  const body = JSON.stringify({ event: 'delivery.changed', delivery_id: delivery?.delivery_id })
  const signature = createHmac('sha256', desk.config.sessionSecret).update(body).digest('hex')
  const tell = (headers: Record<string, string>, text = body, service = 'sandbox') =>
    desk.send('POST', `/providers/v1/couriers/${service}/events`, { body: text, headers })
  const forged = await tell({
    'x-sandbox-signature': signature.replace(/^./, signature.startsWith('0') ? '1' : '0'),
  })
  expect([forged.status, forged.refusal.code]).toEqual([403, 'bad_callback'])
  expect((await tell({})).status).toBe(403)
  expect((await tell({ 'x-sandbox-signature': signature }, body, 'uber')).status).toBe(404)
  const before = await read(order)
  for (let times = 0; times < 3; times++)
    expect((await tell({ 'x-sandbox-signature': signature })).status).toBe(200)
  // Each callback made the delivery due; the work has asked the courier service once it is due much later again.
  const quiet = `select from courier_deliveries where order_id = $1 and due_at > now() + interval '1 minute'`
  await soon(async () => expect((await desk.owner.query(quiet, [order.id])).rows).toHaveLength(1))
  expect(await read(order)).toMatchObject({ version: before.version })
})

test('another merchant’s order has no courier to request, refresh or cancel', async () => {
  const order = await orderTo('delivers')
  await call(order)
  const other = await desk.openShop()
  for (const line of [
    'POST /m/v2/merchant/{tmk}/orders/{id}/courier',
    'POST /m/v2/merchant/{tmk}/orders/{id}/courier/refresh',
    'POST /m/v2/merchant/{tmk}/orders/{id}/courier/cancel',
  ] as const) {
    const body = line.endsWith('courier')
      ? { courier_info: { dispatch_type: 'immediate', number_of_package: 1 } }
      : {}
    const answer = await desk.call(line, { as: other.owner, params: { tmk: other.key, id: order.id }, body })
    expect([line, answer.status]).toEqual([line, 404])
  }
})

test('GAP-29 the marketplace’s courier shows the marketplace’s news, and cannot be cancelled here', async () => {
  const order = await orderTo('delivers')
  await call(order)
  await desk.owner.query('delete from courier_deliveries where order_id = $1', [order.id])
  await desk.call('POST /marketplace/v1/orders/{id}/courier_events', {
    as: marketplaceCredential,
    params: { id: order.id },
    body: { order_status: 'ORDER_ASSIGNED', provider: 'Fleet' },
  })
  expect((await refresh(order)).body.courier_info).toMatchObject({
    provider: 'Fleet',
    order_status: 'ORDER_ASSIGNED',
  })
  expect((await cancel(order)).refusal.message).toContain('not requested here')
})
