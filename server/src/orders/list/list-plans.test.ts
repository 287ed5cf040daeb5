import type { OrderQuery } from '@cellarhand/contract/order-query'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { planOf, sentDuring, type SentStatement } from '../../../test/database/statement-plans.ts'
import { openDesk, type Desk, type Shop } from '../../../test/desk.ts'
import { either, everyListOf } from '../../../test/list-queries.ts'
import { selectPage } from './select-page.ts'

let desk: Desk
let shop: Shop
beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
  await fillShop(shop, 16_000)
  for (const _ of [1, 2, 3]) await fillShop(await desk.openShop(), 2_000)
  await desk.owner.query('analyze')
})
afterAll(() => desk.stop())

let shops = 0

/** So many orders that are done, and 400 that are open, with their counts. */
async function fillShop(filled: Shop, done: number): Promise<void> {
  shops++
  const { key } = filled
  const template = await desk.order(filled)
  await desk.owner.query(
    `insert into orders (merchant_id, order_id, order_key, status, tab, display_group, delivery_method, application_ref, submitted_at, deadline_at, version, document)
     select $1, $2 || lpad(n::text, 8, '0'), 'copy-' || n, kind.status, kind.tab, kind.display_group, method, '', at, at + interval '1 day', 1, document
     from orders template, generate_series(1, $4::int + 400) n
     cross join lateral (select now() - n * interval '7 minutes' as at, (array['shipped', 'on_demand', 'scheduled'])[1 + n % 3] as method) each
     cross join lateral (
       select 'SUBMITTED' as status, 'active' as tab, (array['new', 'printed', 'accepted'])[1 + n / 3 % 3] as display_group where n <= 400
       union all select 'CANCELLED', 'cancelled', 'cancelled' where n > 400 and n % 4 = 0
       union all select 'CLOSED', 'completed', 'completed' where n > 400 and n % 4 <> 0
     ) kind
     where template.merchant_id = $1 and template.order_id = $3`,
    [key, String(70 + shops), template.id, done],
  )
  await desk.owner.query(
    `insert into order_counts select merchant_id, tab, display_group, delivery_method, application_ref, count(*) from orders where merchant_id = $1 group by 1, 2, 3, 4, 5
     on conflict (merchant_id, tab, display_group, delivery_method, application_ref) do update set n = excluded.n`,
    [key],
  )
}

/** Each choice of filters and sorts, also those that no order of the tab meets; one query for each of their statements. */
function everyList(between: string): OrderQuery[] {
  const all = everyListOf([
    [{ limit: 100 }],
    either('filter[tab]', 'active', 'completed'),
    either('filter[status]', 'new', 'new,printed'),
    either('filter[delivery_method]', 'shipped'),
    either('filter[application_ref]', 'no-such'),
    [
      ...either('filter[due]', 'late', 'soon'),
      { 'filter[taken_by]': 'me' },
      { 'filter[slip]': 'missing' },
      { 'filter[needs_a_look]': 'true' },
    ],
    [...either('sort[date]', 'asc'), { 'sort[due]': 'asc' }],
    [{}, { offset: 200 }, { cursor: `a.${between}` }, { cursor: `b.${between}` }],
  ])
  const keyOf = (query: OrderQuery) => `${query['filter[tab]']} ${selectPage(query, Date.now())?.text}`
  return [...new Map(all.map((query) => [keyOf(query), query])).values()]
}

/** The statement of the page, as the server sends it. */
async function sentFor(query: OrderQuery): Promise<SentStatement> {
  const ask = async () => {
    const { status } = await desk.call('GET /m/v2/merchant/{tmk}/orders/optimized', {
      as: shop.member,
      params: { tmk: shop.key },
      query,
    })
    expect(status).toBe(200)
  }
  const [statement, ...others] = await sentDuring(ask, ({ text }) => text.includes('nearest limit'))
  expect(others).toEqual([])
  return statement ?? { text: '', values: [] }
}

test('no list reads the orders of other shops, and a choice that no order meets reads no tab to its end', async () => {
  const { rows } = await desk.owner.query<{ between: string }>(
    `select (extract(epoch from submitted_at) * 1000)::bigint || '.' || order_id as between from orders
     where merchant_id = $1 order by submitted_at desc offset 250 limit 1`,
    [shop.key],
  )
  for (const query of everyList(rows[0]?.between ?? '')) {
    const plan = await planOf(desk.owner, await sentFor(query), {
      options: 'analyze, buffers, timing off',
      settings: 'set role cellarhand_app',
    })
    const [, hit = '0', read = '0'] = /Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?/.exec(plan) ?? []
    const what = `${JSON.stringify(query)}\n${plan}`
    expect(plan, what).not.toMatch(/Seq Scan on orders/)
    // 300 orders, each with a block of its own, and their index. All orders of the tab would be 4,000.
    expect(Number(hit) + Number(read), what).toBeLessThan(400)
  }
})
