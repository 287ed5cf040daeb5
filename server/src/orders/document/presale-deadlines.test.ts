import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDesk, type Desk, type Shop } from '../../../test/desk.ts'

let desk: Desk
let shop: Shop
beforeAll(async () => {
  desk = await openDesk()
  // The migration counted by Greenwich; since then the shop's own clock counts.
  shop = await desk.openShop(undefined, 'UTC')
})
afterAll(async () => desk.stop())

const dayMs = 86_400_000
const dayFromNow = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10)
const item = (id: string, day: string | null) => ({
  id,
  name: 'Vintage Port',
  quantity: 1,
  price: 80,
  subtotal: 80,
  aux_data: day === null ? null : { preorder_available_date: day },
})

async function deadlines(): Promise<Map<string, string>> {
  const { rows } = await desk.owner.query<{ order_id: string; deadline_at: Date }>(
    'select order_id, deadline_at from orders where merchant_id = $1',
    [shop.key],
  )
  return new Map(rows.map((row) => [row.order_id, row.deadline_at.toISOString()]))
}

test('GAP-85 the migration gives older presales the same deadline as new ones, and leaves all others alone', async () => {
  // Seven days in a row, so that every weekday is among the first shipping days.
  for (let days = 20; days < 27; days++) {
    await desk.order(shop, {
      delivery: { method: days % 2 === 0 ? 'preorder' : 'deposit' },
      items: [item('a', dayFromNow(days)), item('b', dayFromNow(12)), item('c', null)],
      transaction: { subtotal: 240, total: 240 },
    })
  }
  await desk.order(shop, { items: [item('a', dayFromNow(3))], transaction: { subtotal: 80, total: 80 } })
  await desk.order(shop, { delivery: { method: 'on_demand' } })
  const expected = await deadlines()
  await desk.owner.query(
    `update orders set deadline_at = submitted_at + interval '1 day' where merchant_id = $1 and delivery_method in ('preorder', 'deposit')`,
    [shop.key],
  )
  expect(await deadlines()).not.toEqual(expected)
  await desk.owner.query(
    await readFile(new URL('../../../migrations/0014-presale-deadlines.sql', import.meta.url), 'utf8'),
  )
  expect(await deadlines()).toEqual(expected)
})
