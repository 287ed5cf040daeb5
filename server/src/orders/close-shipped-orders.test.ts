import type { Order } from '@cellarhand/contract/orders'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openDesk, type Desk, type Shop } from '../../test/desk.ts'
import { onDemand } from '../../test/orders.ts'
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

async function shipped(daysAgo: number, changes = {}): Promise<Order> {
  const { id } = await desk.order(shop, changes)
  const step = (body: object) =>
    desk.call('PUT /m/v2/orders/{id}', { as: shop.member, params: { id }, body: body as never })
  await step({ status: 'MERCHANT_ACCEPTED' })
  const { body, status } = await step({
    status: 'MERCHANT_SHIPPED',
    ...(changes === onDemand ? {} : { order: { tracking_provider: 'UPS', tracking_id: `1Z${id}` } }),
  })
  expect(status).toBe(200)
  await desk.owner.query(
    'update orders set shipped_at = now() - make_interval(days => $2) where order_id = $1',
    [id, daysAgo],
  )
  return body
}

async function detail(id: string) {
  return (await desk.call('GET /m/v2/orders/{id}', { as: shop.member, params: { id } })).body
}

test('T23 GAP-107 a parcel without a report of its delivery is closed after 14 days, by the clock', async () => {
  const old = await shipped(14)
  const young = await shipped(13)
  expect(await closeShippedOrders(desk.app.db)).toBe(1)
  const closed = await detail(old.id)
  expect(closed.status).toBe('CLOSED')
  expect(closed.history[0]).toMatchObject({ actor: 'Cellarhand', from: 'MERCHANT_SHIPPED', to: 'CLOSED' })
  expect(closed.delivery_info).toBeNull()
  expect((await detail(young.id)).status).toBe('MERCHANT_SHIPPED')
  expect(await closeShippedOrders(desk.app.db)).toBe(0)
  const { rows } = await desk.owner.query(
    "select payload ->> 'status' as status from outbox where merchant_id = $1 and payload ->> 'id' = $2 order by event_id desc limit 1",
    [shop.key, old.id],
  )
  expect(rows).toEqual([{ status: 'CLOSED' }])
})

test('GAP-106 a local order waits for the hand-over, for any time', async () => {
  const local = await shipped(30, onDemand)
  expect(await closeShippedOrders(desk.app.db)).toBe(0)
  expect((await detail(local.id)).status).toBe('MERCHANT_SHIPPED')
})

test('several processes close an order once', async () => {
  const companion = await desk.another()
  const orders = [await shipped(20), await shipped(21), await shipped(22)]
  const counts = await Promise.all([
    closeShippedOrders(desk.app.db),
    closeShippedOrders(companion.app.db),
    closeShippedOrders(desk.app.db),
  ])
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(3)
  for (const { id } of orders) {
    const { history } = await detail(id)
    expect(history.filter(({ to }) => to === 'CLOSED')).toHaveLength(1)
  }
})
