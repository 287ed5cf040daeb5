import type { OrderQuery } from '@cellarhand/contract/order-query'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openDesk, type Desk, type Shop } from '../../../test/desk.ts'
import { either, everyListOf } from '../../../test/list-queries.ts'
import { selectPage } from './select-page.ts'

let desk: Desk
let shop: Shop
/** Every text that was prepared under a name: each keeps its plan in the database's memory for good. */
const prepared = new Set<string>()

beforeAll(async () => {
  const send = pg.Client.prototype.query as (...parts: unknown[]) => unknown
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...parts: unknown[]) {
    const [statement] = parts as [{ name?: string; text?: string } | undefined]
    // What goes on in the background prepares its own in the meantime.
    if (statement?.name !== undefined && statement.text?.includes('scope.merchant_id'))
      prepared.add(statement.name)
    return send.apply(this, parts) as never
  })
  desk = await openDesk()
  shop = await desk.openShop()
  await desk.orders(shop, 12)
})
afterAll(async () => {
  vi.restoreAllMocks()
  await desk.stop()
})

async function ask(query: OrderQuery) {
  const { status, body } = await desk.call('GET /m/v2/merchant/{tmk}/orders/optimized', {
    as: shop.member,
    params: { tmk: shop.key },
    query,
  })
  expect(status).toBe(200)
  expect(body.items.length).toBe(Math.min(body.items.length, query.limit ?? 30))
  return body
}

/** How many further texts the work prepares. */
async function countNew(work: () => Promise<unknown>): Promise<number> {
  const before = prepared.size
  await work()
  return prepared.size - before
}

const everyLimit = Array.from({ length: 100 }, (_, index) => index + 1)

test('no limit that a caller chooses makes a prepared statement of its own', async () => {
  const { items } = await ask({ limit: 4 })
  const cursors = ['a', 'b'].map(
    (side) => `${side}.${Date.parse(items[1]?.date_submitted ?? '')}.${items[1]?.id}`,
  )
  const forms: OrderQuery[] = [{}, { offset: 3 }, ...cursors.map((cursor) => ({ cursor }))]
  for (const form of forms)
    expect(
      await countNew(async () => {
        for (const limit of everyLimit) await ask({ ...form, limit })
      }),
    ).toBeLessThanOrEqual(3)
  expect(
    await countNew(async () => {
      for (const limit of everyLimit)
        for (const offset of [0, limit * 7])
          await desk.call('GET /m/v2/merchant/{tmk}/orders/optimize', {
            as: shop.member,
            params: { tmk: shop.key },
            query: { limit, offset, 'filter[recipient_name]': 'dee' },
          })
    }),
  ).toBeLessThanOrEqual(5)
})

/** Every list that the server gives, with one value for each filter; another round has others. */
function everyList(round: number, cursorAt: string): OrderQuery[] {
  return everyListOf([
    either('filter[tab]', 'active'),
    either(
      'filter[status]',
      ...(['new', 'accepted'] as const).slice(round, round + 1),
      round === 0 ? 'new,printed' : 'shipped,accepted,new',
    ),
    either('filter[delivery_method]', round === 0 ? 'shipped' : 'on_demand'),
    either('filter[application_ref]', `app-${round}`),
    either('filter[order_key]', `ref-${round}`),
    [
      ...either('filter[due]', 'late', 'soon'),
      { 'filter[taken_by]': 'me' },
      { 'filter[slip]': 'missing' },
      { 'filter[needs_a_look]': 'true' },
    ],
    [...either('sort[date]', 'asc'), { 'sort[due]': 'asc' }],
    [{}, { offset: 2 + round }, { cursor: `a.${cursorAt}` }, { cursor: `b.${cursorAt}` }],
    [{ limit: 1 }, { limit: 17 + round }, { limit: 63 + round }],
  ])
}

test('all filters, sorts and ways to page together make few prepared statements, the same for all values, and each answers', async () => {
  const { items } = await ask({ limit: 4 })
  const rounds = [0, 1].map((round) => {
    const order = items[round + 1]
    const lists = everyList(round, `${Date.parse(order?.date_submitted ?? '')}.${order?.id}`)
    return new Map(lists.map((query) => [selectPage(query, Date.now() + round)?.text, query]))
  })
  const [first = new Map<string, OrderQuery>(), second = first] = rounds
  expect([...second.keys()].filter((text) => !first.has(text))).toEqual([])
  expect(first.size).toBeLessThanOrEqual(515)
  const askAll = (queries: Iterable<OrderQuery>) => async () => {
    const all = [...queries]
    for (let from = 0; from < all.length; from += 8) await Promise.all(all.slice(from, from + 8).map(ask))
  }
  expect(await countNew(askAll(first.values()))).toBeLessThanOrEqual(first.size)
  const some = [...second.values()].filter((_, index) => index % 4 === 0)
  expect(await countNew(askAll(some))).toBe(0)
})

test('a page has as many orders as were asked for, whatever the limit, on both sides of a cursor', async () => {
  const all = (await ask({ limit: 100 })).items.map(({ id }) => id)
  expect(all).toHaveLength(12)
  for (const limit of [1, 2, 5, 11]) {
    const first = await ask({ limit })
    expect(first.items.map(({ id }) => id)).toEqual(all.slice(0, limit))
    const further = await desk.send('GET', first.next_url ?? '', { as: shop.member })
    const second = further.body as typeof first
    expect(second.items.map(({ id }) => id)).toEqual(all.slice(limit, 2 * limit))
    const back = await desk.send('GET', second.prev_url ?? '', { as: shop.member })
    expect((back.body as typeof first).items.map(({ id }) => id)).toEqual(all.slice(0, limit))
  }
  const skipped = await ask({ limit: 2, offset: 5 })
  expect(skipped.items.map(({ id }) => id)).toEqual(all.slice(5, 7))
})
