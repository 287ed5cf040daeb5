import { isFinishedForMerchant, orderStatuses } from '@cellarhand/contract/order-statuses'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDesk, type Desk, type Shop } from '../../test/desk.ts'
import { orderIn, storedOrder } from '../../test/order-steps.ts'

let desk: Desk
let shop: Shop
beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
})
afterAll(async () => desk.stop())

interface How {
  readonly headers?: Record<string, string>
  readonly version?: number
}

const change = async (id: string, delivery_instructions: unknown, { headers = {}, version }: How = {}) =>
  desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/delivery_instructions', {
    as: shop.member,
    params: { tmk: shop.key, id },
    body: { delivery_instructions, ...(version !== undefined && { version }) },
    headers,
  })

test.each(orderStatuses)('DELIV-024 API-034 the instructions of an order that is %s', async (status) => {
  const order = await orderIn(desk, shop, { status })
  const before = await storedOrder(desk, order.id)
  const answer = await change(order.id, '  Ring twice\nthen knock ')
  if (isFinishedForMerchant(status)) {
    expect([answer.status, answer.refusal.code]).toEqual([409, 'order_finished'])
    expect(await storedOrder(desk, order.id)).toEqual(before)
    return
  }
  expect(answer.body).toMatchObject({
    status,
    version: order.version + 1,
    recipient: { ...order.recipient, delivery_instructions: 'Ring twice\nthen knock' },
  })
  const { body } = await desk.call('GET /m/v2/orders/{id}', { as: shop.owner, params: { id: order.id } })
  expect(body.history[0]).toMatchObject({ action: 'edit_delivery_instructions', from: status, to: status })
})

test('DELIV-024 up to 500 characters; an empty text removes them', async () => {
  const order = await orderIn(desk, shop, { status: 'SUBMITTED' })
  expect((await change(order.id, 'x'.repeat(500))).status).toBe(200)
  const long = await change(order.id, 'x'.repeat(501))
  expect([long.status, Object.keys(long.refusal.errors)]).toEqual([400, ['delivery_instructions']])
  expect((await change(order.id, ' ')).body.recipient.delivery_instructions).toBeNull()
  for (const wrong of [null, undefined, 7, ['x']]) expect((await change(order.id, wrong)).status).toBe(400)
})

test('API-034 sent again under the same key, they change once', async () => {
  const order = await orderIn(desk, shop, { status: 'SUBMITTED' })
  const key = { headers: { 'idempotency-key': `instructions-${order.id}` } }
  const first = await change(order.id, 'Ring twice', key)
  const again = await change(order.id, 'Ring twice', key)
  expect([again.status, again.text]).toEqual([200, first.text])
  expect((await storedOrder(desk, order.id)).version).toBe(order.version + 1)
  expect((await change(order.id, 'Knock', key)).refusal.code).toBe('idempotency_key_reused')
})

test('a text written on an older one is refused; another step of the order in between does not matter', async () => {
  const { id, version } = await orderIn(desk, shop, { status: 'SUBMITTED' })
  await desk.call('PUT /m/v2/orders/{id}', {
    as: shop.owner,
    params: { id },
    body: { id, status: 'MERCHANT_ACCEPTED' },
  })
  expect((await change(id, 'Gate code 4711', { version })).status).toBe(200)
  const late = await change(id, 'Ring twice', { version })
  expect([late.status, late.refusal.code, late.refusal['latest'], late.refusal['order']]).toMatchObject([
    409,
    'invalid_transition',
    { action: 'edit_delivery_instructions' },
    { version: version + 2, recipient: { delivery_instructions: 'Gate code 4711' } },
  ])
  expect((await change(id, 'Gate code 4711, ring twice', { version: version + 2 })).status).toBe(200)
})
