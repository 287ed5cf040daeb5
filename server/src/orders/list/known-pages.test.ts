import fs from 'node:fs'
import path from 'node:path'
import { displayGroupOf, tabOf } from '@cellarhand/contract/order-statuses'
import type { Order } from '@cellarhand/contract/orders'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTurnableDesk, type Desk, type Shop, type TurnableDesk } from '../../../test/desk.ts'
import { orderIn, takeStep } from '../../../test/order-steps.ts'
import { createKnownPages, type KnownPage } from './known-pages.ts'

let desk: TurnableDesk
let second: Desk
let shop: Shop

beforeAll(async () => {
  desk = await openTurnableDesk()
  second = await desk.another()
  shop = await desk.openShop()
})
afterAll(async () => desk.stop())

async function listed(at: Desk, query: Record<string, string> = {}): Promise<Order[]> {
  const { body } = await at.call('GET /m/v2/merchant/{tmk}/orders/optimized', {
    as: shop.member,
    params: { tmk: shop.key },
    query,
  })
  return body.items
}

const placeOf = (order: Order) => [
  tabOf(order.status, order.delivery.method),
  displayGroupOf(order.status, order.printed_timestamp),
]

test('LIST-036 a page shows a change that leaves the order in its place, at whichever server it happened', async () => {
  const order = await orderIn(desk, shop, { status: 'PAYMENT_SUBMITTED' })
  const queries = [{}, { 'filter[tab]': 'active' }, { 'sort[date]': 'asc' }]
  // The server keeps a page at the second request, and answers the third from memory.
  for (let time = 0; time < 3; time++)
    for (const query of queries)
      for (const at of [desk, second])
        expect((await listed(at, query)).map(({ status }) => status)).toContain('PAYMENT_SUBMITTED')

  const { body: changed } = await takeStep(desk, shop, { order, step: 'approve_payment' })
  expect(placeOf(changed)).toEqual(placeOf(order))
  for (const query of queries)
    for (const at of [desk, second])
      expect((await listed(at, query)).map(({ version }) => version)).toContain(changed.version)
})

test('SEARCH-001 SEARCH-002 SEARCH-003 a repeated search shows orders that came or changed since, at whichever server', async () => {
  const order = await orderIn(desk, shop, {
    status: 'PAYMENT_SUBMITTED',
    customer: { first_name: 'Oriel', last_name: 'Quill', email: 'oriel@quill.example' },
  })
  const searches = {
    'filter[search]': order.id,
    'filter[recipient_name]': 'quill',
    'filter[customer_email]': 'quill.ex',
  }
  const found = async (at: Desk, [name, value]: [string, string]) => {
    const { body } = await at.call('GET /m/v2/merchant/{tmk}/orders/optimize', {
      as: shop.member,
      params: { tmk: shop.key },
      query: { [name]: value },
    })
    return [body.total_rows, body.items.map(({ id, version }) => [id, version])]
  }
  const every = async () =>
    Promise.all(
      Object.entries(searches).flatMap((search) => [desk, second].map(async (at) => found(at, search))),
    )
  const only = [1, [[order.id, order.version]]]
  expect(await every()).toEqual(Array(6).fill(only))

  const { body: changed } = await takeStep(desk, shop, { order, step: 'approve_payment' })
  expect(await every()).toEqual(Array(6).fill([1, [[order.id, changed.version]]]))
  const [later] = await desk.orders(shop, 1, () => ({
    customer: { first_name: 'Oriel', last_name: 'Quill', email: 'oriel@quill.example' },
  }))
  expect((await found(second, ['filter[recipient_name]', 'quill']))[0]).toBe(2)
  expect((await found(desk, ['filter[customer_email]', 'quill.ex']))[1]).toContainEqual([
    later?.id,
    expect.any(Number),
  ])
})

test('LIST-026 the badges of an unchanged page follow the clock', async () => {
  const order = await orderIn(desk, shop, {
    status: 'MERCHANT_ACCEPTED',
    method: 'on_demand',
    date_submitted: new Date(Date.now() - 110 * 60_000).toISOString(),
  })
  const badge = async () => (await listed(desk)).find(({ id }) => id === order.id)?.on_track_status?.type
  expect(await badge()).toBe('SLA1')
  await desk.turn(10 * 60_000)
  expect(await badge()).toBe('SLA2')
})

test('only two places write orders, and both raise the sum of changes that remembered pages depend on', () => {
  const folder = path.join(import.meta.dirname, '../..')
  const writers = fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .filter((file) =>
      /(update|insert into|delete from) (orders|order_search)\b/i.test(
        fs.readFileSync(path.join(folder, file), 'utf8'),
      ),
    )
  expect(writers.map((file) => path.basename(file)).toSorted()).toEqual(['create-order.ts', 'move-order.ts'])
})

test('the kept pages stay within their memory, and those asked for last stay', () => {
  const pages = createKnownPages(1_000)
  const page = (length: number): KnownPage => ({
    changes: 1,
    rows: [
      {
        order_id: '1',
        document: 'x'.repeat(length),
        tab: 'active',
        delivery_method: 'shipped',
        submitted_ms: 0,
        deadline_ms: 0,
        taken: null,
      },
    ],
    answer: { summary: '', second: 0, bytes: Buffer.alloc(100) },
  })
  const ask = (key: string, length: number) => {
    pages.keep(key, page(length))
    pages.keep(key, page(length))
  }
  for (const key of ['a', 'b', 'c', 'd']) ask(key, 200)
  expect(['a', 'b', 'c', 'd'].filter((key) => pages.find(key))).toEqual(['b', 'c', 'd'])
  ask('b', 300)
  ask('e', 200)
  expect(['a', 'b', 'c', 'd', 'e'].filter((key) => pages.find(key))).toEqual(['b', 'd', 'e'])
  ask('huge', 5_000)
  expect(pages.find('huge')).toBeUndefined()
})
