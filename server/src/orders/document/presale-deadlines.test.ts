import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { NewOrder } from '@cellarhand/contract/marketplace'
import type { Order } from '@cellarhand/contract/orders'
import { marketplaceCredential, openTurnableDesk, type Shop, type TurnableDesk } from '../../../test/desk.ts'
import { takeStep } from '../../../test/order-steps.ts'

let desk: TurnableDesk
let shop: Shop
beforeAll(async () => {
  desk = await openTurnableDesk()
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

const of = (...days: (string | null)[]) => ({
  items: days.map((day, index) => ({ ...item(`line-${index}`, day), product: { id: `p-${index + 1}` } })),
  transaction: { subtotal: 80 * days.length, total: 80 * days.length },
})
const held = async (changes: Partial<NewOrder>) => {
  const order = await desk.order(shop, changes)
  expect((await takeStep(desk, shop, { order, step: 'report_items' })).status).toBe(200)
  return order
}
const resume = ({ id }: Order, lines: ReturnType<typeof of>) =>
  desk.call('POST /marketplace/v1/orders/{id}/status', {
    as: marketplaceCredential,
    params: { id },
    body: { status: 'SUBMITTED', ...lines },
  })
const dueOf = ({ on_track_status: badge }: Order) => badge?.deadline_at

test.each(['shipped', 'preorder', 'on_demand'])(
  'T10 GAP-85 the lines with which a held order of the method %s resumes decide its deadline, as at its start',
  async (method) => {
    const order = await held({ delivery: { method }, ...of(null, null) })
    const { body } = await resume(order, of(dayFromNow(60), null))
    const taken = await desk.order(shop, { delivery: { method }, ...of(dayFromNow(60), null) })
    expect(dueOf(body)).toBe(dueOf(taken))
    expect(Date.parse(dueOf(body) ?? '')).toBeGreaterThan(Date.parse(dayFromNow(50)))
    expect((await deadlines()).get(order.id)).toBe(dueOf(taken))
  },
)

test('T10 GAP-85 a held order keeps its deadline while its lines may leave on the same day', async () => {
  const order = await held({ delivery: { method: 'on_demand' }, ...of(null, null) })
  const { body } = await resume(order, of(dayFromNow(9)))
  expect(dueOf(body)).toBe(dueOf(order))
})

test('T10 DELIV-009 GAP-85 without its presale, a held order on demand is due two hours after it resumes', async () => {
  const order = await held({ delivery: { method: 'on_demand' }, ...of(dayFromNow(60), null) })
  await desk.turn(3 * 3_600_000)
  const before = desk.clock.nowMs()
  const { body } = await resume(order, of(null))
  expect(Date.parse(dueOf(body) ?? '') - before).toBeGreaterThanOrEqual(2 * 3_600_000)
  expect(Date.parse(dueOf(body) ?? '') - before).toBeLessThan(2 * 3_600_000 + 60_000)
})

test('VIEW-016 GAP-85 an order on demand is not due before its bottles may leave', async () => {
  const order = await desk.order(shop, { delivery: { method: 'on_demand' }, ...of(dayFromNow(60)) })
  expect(order.on_track_status).toMatchObject({ type: 'SLA0', message: expect.stringMatching(/^By \d\d/) })
})

test('T10 VIEW-016 GAP-85 a scheduled order is due at the end of its window, or once its bottles may leave after that', async () => {
  const window = (days: number) => [`${dayFromNow(days)}T18:00:00Z`, `${dayFromNow(days)}T20:00:00Z`]
  const scheduled = (days: number) => ({ delivery: { method: 'scheduled', window: window(days) } })
  const [, windowEnd] = window(50)
  const inTime = await desk.order(shop, { ...scheduled(50), ...of(null, dayFromNow(60)) })
  expect(Date.parse(dueOf(inTime) ?? '')).toBe(Date.parse(windowEnd ?? ''))

  const order = await held({ ...scheduled(20), ...of(null, null) })
  const { body } = await resume(order, of(null, dayFromNow(60)))
  const taken = await desk.order(shop, { ...scheduled(20), ...of(null, dayFromNow(60)) })
  expect(Date.parse(dueOf(taken) ?? '')).toBeGreaterThan(Date.parse(dayFromNow(50)))
  expect(dueOf(body)).toBe(dueOf(taken))
})

test('T10 ENT-038 a held order does not resume with a day that no calendar has', async () => {
  const order = await held(of(null, null))
  const answer = await resume(order, of(null, '2027-02-31'))
  expect([answer.status, answer.refusal.errors]).toEqual([
    400,
    { 'items.1.aux_data.preorder_available_date': 'Is not a real date' },
  ])
})

// The last one, because it turns the clock by days.
test('T10 DELIV-009 GAP-85 an order that is late already gets no fresh time when its presale goes', async () => {
  // Bottles of the twelfth day may leave on the second.
  const [leaves, arrives] = [dayFromNow(2), dayFromNow(12)]
  const order = await held({ delivery: { method: 'on_demand' }, ...of(arrives, null) })
  await desk.turn(5 * dayMs)
  const { body } = await resume(order, of(null))
  expect(dueOf(body)).toBe(`${leaves}T02:00:00.000Z`)
})
