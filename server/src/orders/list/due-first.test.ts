import type { Order } from '@cellarhand/contract/orders'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { planOf, sentDuring } from '../../../test/database/statement-plans.ts'
import { marketplaceCredential, openDesk, type Desk, type Shop } from '../../../test/desk.ts'
import { followLink, readPage } from '../../../test/list-model.ts'

let desk: Desk
let shop: Shop
let orders: Order[]
const dueFirst = { 'filter[tab]': 'active', 'sort[due]': 'asc' }

beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
  // A parcel is due a business day later and a local order in two hours, so due time and date disagree. Seven orders
  // share each moment, and 7 does not divide 30: every page ends between equal moments.
  const startMs = Date.now() - 7 * 86_400_000
  orders = await desk.orders(shop, 70, (index) => ({
    delivery: { method: index % 2 === 0 ? 'on_demand' : 'shipped' },
    date_submitted: new Date(startMs + Math.floor(index / 14) * 3_600_000).toISOString(),
  }))
})
afterAll(async () => desk.stop())

const dueMs = ({ on_track_status: badge }: Order) => Date.parse(badge?.deadline_at ?? '')
const expected = () =>
  orders.toSorted((a, b) => dueMs(a) - dueMs(b) || Number(a.id) - Number(b.id)).map(({ id }) => id)

test('the active tab by due time is walked there and back, equal moments by number, whatever arrives', async () => {
  const ids = (pages: readonly { items: readonly Order[] }[]) =>
    pages.flatMap(({ items }) => items.map(({ id }) => id))
  const pages = [(await readPage(desk, shop, dueFirst)).body]
  expect(pages[0]?.current_sort).toEqual({ due: 'asc' })
  for (let next = pages.at(-1)?.next_url; next != null; next = pages.at(-1)?.next_url)
    pages.push(await followLink(desk, shop.member, next))
  expect(pages.map(({ items }) => items.length)).toEqual([30, 30, 10])
  expect(ids(pages)).toEqual(expected())
  const back = await followLink(desk, shop.member, pages[2]?.prev_url ?? null)
  expect(ids([back])).toEqual(ids(pages.slice(1, 2)))
})

test('GAP-76 without a sort the newest order still comes first', async () => {
  const { body } = await readPage(desk, shop, { 'filter[tab]': 'active', limit: 100 })
  const newest = orders.toSorted(
    (a, b) => Date.parse(b.date_submitted) - Date.parse(a.date_submitted) || Number(b.id) - Number(a.id),
  )
  expect(body.items.map(({ id }) => id)).toEqual(newest.map(({ id }) => id))
})

test('a page by due time takes its filters along, and offsets agree with links', async () => {
  const parcels = orders.filter(({ delivery }) => delivery.method === 'shipped').map(({ id }) => id)
  const query = { ...dueFirst, 'filter[delivery_method]': 'shipped' }
  const { body } = await readPage(desk, shop, query)
  const beyond = await readPage(desk, shop, { ...query, offset: 30 })
  const linked = await followLink(desk, shop.member, body.next_url)
  expect(beyond.body.items.map(({ id }) => id)).toEqual(linked.items.map(({ id }) => id))
  expect([...body.items, ...linked.items].map(({ id }) => id)).toEqual(
    expected().filter((id) => parcels.includes(id)),
  )
})

test('the orders beside one are those of its list, without a page of it, and none of another shop', async () => {
  const beside = (id: string, of = shop) =>
    desk.call('GET /m/v2/merchant/{tmk}/orders/{id}/beside', { as: of.member, params: { tmk: of.key, id } })
  const ids = expected()
  const at = async (index: number) => (await beside(ids[index] ?? '')).body
  for (const index of [0, 6, 7, 33, 69])
    expect(await at(index)).toEqual({ previous: ids[index - 1] ?? null, next: ids[index + 1] ?? null })
  const other = await desk.openShop()
  expect((await beside(ids[0] ?? '', other)).status).toBe(404)
  // Orders that are done are newest first.
  const done = await desk.orders(other, 1)
  // Of another tab, between them.
  await desk.order(other)
  done.push(...(await desk.orders(other, 1)))
  await desk.order(other)
  done.push(...(await desk.orders(other, 1)))
  const closed = { as: marketplaceCredential, body: { status: 'CANCELLED' } } as const
  for (const { id } of done)
    await desk.call('POST /marketplace/v1/orders/{id}/status', { ...closed, params: { id } })
  const { body } = await readPage(desk, other, { 'filter[tab]': 'cancelled' })
  const [newest, middle, oldest] = body.items.map(({ id }) => id)
  expect((await beside(middle ?? '', other)).body).toEqual({ previous: newest, next: oldest })
})

test.each([{}, { 'filter[delivery_method]': 'shipped' }, { 'filter[status]': 'new,printed' }])(
  'a page by due time comes from its own index, without a sort: %o',
  async (filter) => {
    const [statement] = await sentDuring(
      () => readPage(desk, shop, { ...dueFirst, ...filter }),
      ({ text }) => text.includes('order by deadline_at'),
    )
    if (statement === undefined) throw new Error('The page was read by another statement')
    // So few rows would be read whole, and sorted.
    const settings = 'set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off'
    const plan = await planOf(desk.owner, statement, { settings })
    expect(plan).toContain('using orders_due')
    expect(plan).not.toContain('Sort')
  },
)

test.each([
  { 'sort[due]': 'asc' },
  { ...dueFirst, 'filter[tab]': 'completed' },
  { ...dueFirst, 'sort[date]': 'asc' },
  { ...dueFirst, 'sort[due]': 'desc' },
])('a sort by due time that no index serves is refused at its field: %o', async (query) => {
  const answer = await desk.send(
    'GET',
    `/m/v2/merchant/${shop.key}/orders/optimized?${new URLSearchParams(query as Record<string, string>).toString()}`,
    { as: shop.member },
  )
  expect([answer.status, Object.keys(answer.refusal.errors)]).toEqual([400, ['sort[due]']])
})
