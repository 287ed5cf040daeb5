import type { Queue } from '@cellarhand/contract/live'
import type { Order } from '@cellarhand/contract/orders'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openDesk, type Desk, type Shop } from '../../../test/desk.ts'
import { eventually } from '../../../test/eventually.ts'
import { followLink, readPage } from '../../../test/list-model.ts'
import { takeStep } from '../../../test/order-steps.ts'

let desk: Desk
let shop: Shop
beforeAll(async () => {
  desk = await openDesk()
})
beforeEach(async () => {
  shop = await desk.openShop()
})
afterAll(async () => desk.stop())

const missing = { 'filter[tab]': 'active', 'filter[slip]': 'missing' }
const dueFirst = { ...missing, 'sort[due]': 'asc' }

const idsOf = (orders: readonly { id: string }[]) => orders.map(({ id }) => id)

async function slipsOf(query: Record<string, string> = {}): Promise<number | undefined> {
  const { body } = await readPage(desk, shop, { 'filter[tab]': 'active', ...query })
  return body.filters.available.slips?.missing
}

async function queue(): Promise<Queue> {
  const asked = { as: shop.member, params: { tmk: shop.key } }
  return (await desk.call('GET /m/v2/merchant/{tmk}/orders/queue', asked)).body
}

async function print(orders: readonly Order[]): Promise<void> {
  const { body: batch } = await desk.call('POST /m/v2/merchant/{tmk}/orders/bulk/reports', {
    as: shop.member,
    params: { tmk: shop.key },
    body: {
      order_keys: orders.map((order) => order.thirstie_logistic_order_ref),
      report_types: ['packingslip'],
    },
  })
  await eventually(async () => {
    const { body } = await desk.call('GET /m/v2/merchant/{tmk}/orders/bulk/{batch_id}', {
      as: shop.member,
      params: { tmk: shop.key, batch_id: batch.batch_id },
    })
    expect(body.completed_count + body.error_count).toBe(body.total_count)
    expect(body.failed).toEqual([])
  })
}

test('orders still in the shop without a printed slip are listed in due order and counted, until they are printed', async () => {
  const [parcel, local, accepted, away] = (await desk.orders(shop, 4, (index) => ({
    delivery: { method: index === 0 ? 'shipped' : 'on_demand' },
    date_submitted: new Date(Date.now() - index * 60_000).toISOString(),
  }))) as [Order, Order, Order, Order]
  await takeStep(desk, shop, { order: accepted, step: 'accept' })
  await takeStep(desk, shop, { order: away, step: 'accept' })
  await takeStep(desk, shop, { order: away, step: 'send_out' })
  const { body } = await readPage(desk, shop, dueFirst)
  expect(idsOf(body.items)).toEqual(idsOf([accepted, local, parcel]))
  expect(body.total_rows).toBe(3)
  expect(body.current_filter).toMatchObject({ slip: 'missing' })
  expect(await slipsOf()).toBe(3)
  expect(await slipsOf({ 'filter[delivery_method]': 'shipped' })).toBe(1)
  expect(await slipsOf({ 'filter[status]': 'accepted' })).toBe(1)
  expect((await queue()).slips).toBe(3)
  const byDate = await readPage(desk, shop, { ...missing, 'sort[date]': 'desc' })
  expect(idsOf(byDate.body.items)).toEqual(idsOf([parcel, local, accepted]))
  const byKey = { ...missing, 'filter[order_key]': local.thirstie_logistic_order_ref }
  expect(idsOf((await readPage(desk, shop, byKey)).body.items)).toEqual([local.id])

  await print([parcel, accepted])
  expect(idsOf((await readPage(desk, shop, dueFirst)).body.items)).toEqual([local.id])
  expect((await queue()).slips).toBe(1)
  await desk.call('GET /m/v2/merchant/{tmk}/orders/{id}/reports/packingslip', {
    as: shop.member,
    params: { tmk: shop.key, id: local.id },
  })
  expect((await readPage(desk, shop, dueFirst)).body.items).toEqual([])
  expect(await slipsOf()).toBeUndefined()
  expect(await queue()).not.toHaveProperty('slips')
  expect((await readPage(desk, shop, byKey)).body.items).toEqual([])
})

test('a printed slip stays printed when the order is accepted', async () => {
  const order = await desk.order(shop)
  await print([order])
  await takeStep(desk, shop, { order: order, step: 'accept' })
  expect(await slipsOf()).toBeUndefined()
})

test('the missing slips are walked page by page, equal moments by number', async () => {
  const at = new Date(Date.now() - 3_600_000).toISOString()
  const orders = await desk.orders(shop, 35, () => ({ date_submitted: at }))
  const { body } = await readPage(desk, shop, dueFirst)
  const rest = await followLink(desk, shop.member, body.next_url)
  const sorted = orders.toSorted((a, b) => Number(a.id) - Number(b.id))
  expect(idsOf([...body.items, ...rest.items])).toEqual(idsOf(sorted))
})

test('the filter stands alone among those of its kind, on the active tab', async () => {
  for (const [other, value] of [
    ['filter[due]', 'late'],
    ['filter[taken_by]', 'me'],
    ['filter[needs_a_look]', 'true'],
  ] as const) {
    const { status } = await readPage(desk, shop, { ...missing, [other]: value })
    expect(status).toBe(400)
  }
  const { status } = await readPage(desk, shop, { 'filter[tab]': 'completed', 'filter[slip]': 'missing' })
  expect(status).toBe(400)
})
