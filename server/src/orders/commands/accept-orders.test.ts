import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDesk, type Desk, type Shop } from '../../../test/desk.ts'
import { orderIn } from '../../../test/order-steps.ts'

let desk: Desk
let shop: Shop
beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
})
afterAll(async () => desk.stop())

function accept(
  ids: readonly string[],
  { as = shop.member, key }: { as?: Shop['member']; key?: string } = {},
) {
  return desk.call('POST /m/v2/merchant/{tmk}/orders/bulk/accept', {
    as,
    params: { tmk: shop.key },
    body: { orders: ids.map((id) => ({ id, status: 'MERCHANT_ACCEPTED' as const })) },
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
  })
}

async function read(id: string) {
  const { body } = await desk.call('GET /m/v2/orders/{id}', { as: shop.member, params: { id } })
  return body
}

test('GEN-020 BULK-002 API-047 API-048 GAP-145 new and printed orders are accepted, and the others are returned with their reason', async () => {
  const fresh = await desk.order(shop)
  const cancelled = await orderIn(desk, shop, { status: 'CANCELLED' })
  const other = await desk.openShop()
  const foreign = await desk.order(other)
  const { status, body } = await accept([fresh.id, cancelled.id, '999999', foreign.id])
  expect(status).toBe(200)
  expect(body).toMatchObject({ order_accepted_count: 1, order_rejected_count: 3 })
  expect(body.rejected).toEqual([
    { id: cancelled.id, message: 'This order has moved on, so that is not possible any more.' },
    { id: '999999', message: "We couldn't find what you are looking for." },
    { id: foreign.id, message: "We couldn't find what you are looking for." },
  ])
  const accepted = await read(fresh.id)
  expect(accepted.status).toBe('MERCHANT_ACCEPTED')
  expect(accepted.history[0]).toMatchObject({ action: 'accept', actor: expect.stringContaining('user') })
  const untouched = await desk.call('GET /m/v2/orders/{id}', { as: other.owner, params: { id: foreign.id } })
  expect(untouched.body.status).toBe('SUBMITTED')
})

test('GAP-141 one call takes between 1 and 200 orders', async () => {
  expect((await accept([])).status).toBe(400)
  expect((await accept(Array.from({ length: 201 }, (_, index) => String(index + 1)))).status).toBe(400)
})

test('two clerks who accept the same orders in different sequences both finish, and each order is accepted once', async () => {
  const ids: string[] = []
  for (let count = 0; count < 12; count++) ids.push((await desk.order(shop)).id)
  const [one, two, three] = await Promise.all([
    accept(ids),
    accept(ids.toReversed(), { as: shop.manager }),
    accept([...ids.slice(6), ...ids.slice(0, 6)], { as: shop.owner }),
  ])
  const accepted = [one, two, three].map((answer) => answer?.body.order_accepted_count ?? 0)
  expect(accepted.reduce((sum, count) => sum + count, 0)).toBe(12)
  for (const id of ids) expect((await read(id)).version).toBe(2)
})

test('two clerks who accept other orders of the same kinds cause no deadlock', async () => {
  const some = async (method: 'on_demand' | 'shipped') => {
    const made = await Promise.all(
      Array.from({ length: 24 }, () => desk.order(shop, { delivery: { method } })),
    )
    return made.map(({ id }) => id)
  }
  const ones = [...(await some('on_demand')), ...(await some('shipped'))]
  const others = [...(await some('shipped')), ...(await some('on_demand'))]
  const answers = await Promise.all([accept(ones), accept(others, { as: shop.manager })])
  expect(answers.map(({ body }) => body.order_accepted_count)).toEqual([48, 48])
  // Each connection updates the statistics once a second.
  await sleep(1_500)
  const { rows } = await desk.owner.query<{ deadlocks: number }>(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  )
  expect(rows[0]?.deadlocks).toBe(0)
})

test('a repeated request gets the first answer, and an order named twice counts once', async () => {
  const order = await desk.order(shop)
  const first = await accept([order.id, order.id], { key: 'bulk-1' })
  expect(first.body).toMatchObject({ order_accepted_count: 1, order_rejected_count: 0 })
  expect((await accept([order.id, order.id], { key: 'bulk-1' })).body).toEqual(first.body)
})
