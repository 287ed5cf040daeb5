import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDesk, type Desk, type Shop } from '../../../test/desk.ts'
import { readPage } from '../../../test/list-model.ts'
import { orderIn, takeStep } from '../../../test/order-steps.ts'

let desk: Desk
let shop: Shop
beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
})
afterAll(async () => desk.stop())

const minuteMs = 60_000
const fromNow = (minutes: number) => new Date(Date.now() + minutes * minuteMs).toISOString()
const scheduled = (endsIn: number) => ({
  method: 'scheduled',
  delivery: { method: 'scheduled', window: [fromNow(endsIn - 60), fromNow(endsIn)] },
})

test.each([
  {
    type: 'SLA0',
    name: 'a fresh on-demand order',
    changes: { method: 'on_demand' },
    words: /^1 h 5\d min left$|^2 h left$/,
  },
  {
    type: 'SLA1',
    name: 'one with 20 minutes left',
    changes: { method: 'on_demand', date_submitted: fromNow(-100.5) },
    words: /^\d+ min left$/,
  },
  {
    type: 'SLA2',
    name: 'one that is over',
    changes: { method: 'on_demand', date_submitted: fromNow(-150) },
    words: /^\d+ min late$/,
  },
  {
    type: 'SLA0',
    name: 'a window tomorrow',
    // Also on the day of 25 hours.
    changes: scheduled(26 * 60),
    words: /^By \w{3} \d+:\d\d [AP]M$/,
  },
  { type: 'SLA1', name: 'a window that ends soon', changes: scheduled(20), words: /^\d+ min left$/ },
  { type: 'SLA2', name: 'a window that has ended', changes: scheduled(-30), words: /^\d+ min late$/ },
  {
    type: 'SLA2',
    name: 'a parcel of last week',
    changes: { date_submitted: fromNow(-8 * 24 * 60) },
    words: /^\d+ days late$/,
  },
])(
  'LIST-026 ENT-020 GAP-85 $type for $name, in the list, the detail and the reply',
  async ({ type, changes, words }) => {
    const order = await orderIn(desk, shop, { status: 'MERCHANT_ACCEPTED', ...changes })
    const badge = {
      type,
      message: expect.stringMatching(words),
      deadline_at: order.on_track_status?.deadline_at,
    }
    expect(order.on_track_status).toEqual(badge)
    const detail = await desk.call('GET /m/v2/orders/{id}', { as: shop.member, params: { id: order.id } })
    expect(detail.body.on_track_status).toEqual(badge)
    const { body } = await readPage(desk, shop, { 'filter[tab]': 'active', limit: 100 })
    expect(body.items.find(({ id }) => id === order.id)?.on_track_status).toEqual(badge)
  },
)

test.each(['REJECTED_PARTIAL', 'CANCELLED', 'MERCHANT_SHIPPED', 'CLOSED'] as const)(
  'LIST-008 an order that is not active has no badge (%s)',
  async (status) => {
    const order = await orderIn(desk, shop, { status })
    expect(order.on_track_status).toBeNull()
    const { body } = await readPage(desk, shop, { 'filter[order_key]': order.thirstie_logistic_order_ref })
    expect(body.items[0]?.on_track_status).toBeNull()
  },
)

test('LIST-026 GAP-85 a presale is due one day after it may ship, and an old one is not late', async () => {
  const dayMs = 86_400_000
  const available = new Date(Date.now() + 40 * dayMs).toISOString().slice(0, 10)
  const item = { id: 'a', name: 'Vintage Port', quantity: 1, price: 80, subtotal: 80 }
  const order = await desk.order(shop, {
    delivery: { method: 'preorder' },
    date_submitted: fromNow(-20 * 24 * 60),
    items: [{ ...item, aux_data: { preorder_available_date: available } }],
    transaction: { subtotal: 80, total: 80 },
  })
  const readyAtMs = Date.parse(available) - 10 * dayMs
  const afterMs = Date.parse(order.on_track_status?.deadline_at ?? '') - readyAtMs
  expect(afterMs).toBeGreaterThanOrEqual(dayMs - 3_600_000)
  // With a weekend between, and midnight of the shop up to half a day after UTC's.
  expect(afterMs).toBeLessThanOrEqual(3.5 * dayMs)
  expect(order.on_track_status).toMatchObject({
    type: 'SLA0',
    message: expect.stringMatching(/^By \d{2}\.\d{2}\.\d{4}$/),
  })
  const { body } = await readPage(desk, shop, { limit: 1 })
  expect(body.next_deadline?.id).not.toBe(order.id)
})

test('GAP-85 an order that is out for delivery is not the next deadline', async () => {
  const own = await desk.openShop()
  const [gone, here] = [60, 30].map((minutes) => ({
    delivery: { method: 'on_demand' },
    date_submitted: fromNow(-minutes),
  }))
  const order = await desk.order(own, gone)
  const waiting = await desk.order(own, here)
  expect((await readPage(desk, own)).body.next_deadline?.id).toBe(order.id)
  for (const step of ['accept', 'send_out'] as const)
    expect((await takeStep(desk, own, { order, step })).status).toBe(200)
  expect((await readPage(desk, own)).body.next_deadline?.id).toBe(waiting.id)
})

test('GAP-85 the next deadline’s method decides when it counts as near, whichever page its order is on', async () => {
  const own = await desk.openShop()
  await desk.order(own, { delivery: { method: 'on_demand' } })
  const due = await desk.order(own, {
    delivery: { method: 'shipped' },
    date_submitted: fromNow(-20 * 24 * 60),
  })
  const { body } = await readPage(desk, own, { limit: 1 })
  expect(body.items.map(({ id }) => id)).not.toContain(due.id)
  expect(body.next_deadline).toEqual({
    id: due.id,
    deadline_at: due.on_track_status?.deadline_at,
    delivery_method: 'shipped',
  })
})
