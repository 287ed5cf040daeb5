import type { Whole } from '@cellarhand/contract/api'
import type { Order, OrderPage } from '@cellarhand/contract/orders'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openDesk, type Desk, type Shop } from '../../../test/desk.ts'
import { followLink, readPage } from '../../../test/list-model.ts'
import { takeStep } from '../../../test/order-steps.ts'

let desk: Desk
let shop: Shop
let orders: Order[]

beforeAll(async () => {
  desk = await openDesk()
})
beforeEach(async () => {
  shop = await desk.openShop()
  // Seven of them at every moment: 7 divides neither 30, 60 nor 90, so every page ends between equal moments.
  const startMs = Date.now() - 7 * 86_400_000
  orders = await desk.orders(shop, 95, (index) => ({
    date_submitted: new Date(startMs + Math.floor(index / 7) * 60_000).toISOString(),
  }))
})
afterAll(async () => desk.stop())

const ids = (pages: readonly { items: readonly Order[] }[]) =>
  pages.flatMap(({ items }) => items.map(({ id }) => id))

async function walk(
  query: Record<string, string>,
  between: (page: Whole<OrderPage>, index: number) => Promise<void>,
) {
  const pages = [(await readPage(desk, shop, query)).body]
  for (let page = pages.at(-1); page !== undefined && page.next_url !== null; page = pages.at(-1)) {
    await between(page, pages.length)
    pages.push(await followLink(desk, shop.member, page.next_url))
    if (pages.length > 30) throw new Error('The list does not end')
  }
  return pages
}

const nothing = async () => undefined

test.each([{}, { 'sort[date]': 'asc' }, { 'sort[date]': 'desc', 'filter[status]': 'new' }])(
  'LIST-030 LIST-031 LIST-032 ENT-047 95 orders are 30, 30, 30 and 5, there and back, by link and by offset: %o',
  async (sorting) => {
    const query = { 'filter[tab]': 'active', ...sorting }
    const pages = await walk(query, nothing)
    expect(pages.map(({ items }) => items.length)).toEqual([30, 30, 30, 5])
    expect(new Set(ids(pages))).toEqual(new Set(orders.map(({ id }) => id)))
    expect(pages.every(({ total_rows }) => total_rows === 95)).toBe(true)

    expect(pages[0]?.prev_url).toBeNull()
    let page = pages[3]
    for (const earlier of [pages[2], pages[1], pages[0]]) {
      page = await followLink(desk, shop.member, page?.prev_url ?? null)
      expect(ids([page])).toEqual(ids(earlier === undefined ? [] : [earlier]))
    }
    expect(page?.prev_url).toBeNull()

    for (const [index, linked] of pages.entries()) {
      const { body } = await readPage(desk, shop, { ...query, limit: 30, offset: 30 * index })
      expect(ids([body])).toEqual(ids([linked]))
    }
    const beyond = await readPage(desk, shop, { ...query, offset: 120 })
    expect([beyond.body.items, beyond.body.next_url]).toEqual([[], null])
  },
)

test('GAP-82 LIST-036 orders that arrive during the walk neither repeat a row nor push one out', async () => {
  const arrived: string[] = []
  const pages = await walk({ 'filter[tab]': 'active' }, async () => {
    arrived.push(
      ...(await Promise.all(Array.from({ length: 7 }, () => desk.order(shop)))).map(({ id }) => id),
    )
  })
  const seen = ids(pages)
  expect(new Set(seen).size).toBe(seen.length)
  expect(new Set(seen)).toEqual(new Set(orders.map(({ id }) => id)))
  expect(arrived).toHaveLength(21)
})

test('GAP-82 LIST-032 orders that leave the tab during the walk hide no others', async () => {
  const gone = new Set<string>()
  const pages = await walk({ 'filter[status]': 'new' }, async (page) => {
    for (const order of page.items) {
      gone.add(order.id)
      await takeStep(desk, shop, { order, step: 'accept' })
    }
  })
  const seen = ids(pages)
  expect(new Set(seen).size).toBe(seen.length)
  expect(new Set(seen)).toEqual(new Set(orders.map(({ id }) => id)))
  expect(gone.size).toBe(90)
})

test('LIST-036 walking back finds orders that arrived in front of the first page', async () => {
  const [first] = [(await readPage(desk, shop)).body]
  const second = await followLink(desk, shop.member, first?.next_url ?? null)
  const arrived = await Promise.all(Array.from({ length: 3 }, () => desk.order(shop)))
  const back = await followLink(desk, shop.member, second.prev_url)
  expect(ids([back])).toEqual(ids(first === undefined ? [] : [first]))
  const front = await followLink(desk, shop.member, back.prev_url)
  expect(new Set(ids([front]))).toEqual(new Set(arrived.map(({ id }) => id)))
})
