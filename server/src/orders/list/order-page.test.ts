import { orderStatuses, tabs, type OrderStatus } from '@cellarhand/contract/order-statuses'
import type { Order } from '@cellarhand/contract/orders'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDesk, type Desk, type Shop } from '../../../test/desk.ts'
import { expectedPage, queryOf, readPage, type ListFilter, type Part } from '../../../test/list-model.ts'
import { orderIn } from '../../../test/order-steps.ts'

let desk: Desk
let shop: Shop
let orders: Order[] = []

const methods = ['shipped', 'on_demand', 'scheduled', 'preorder', 'unheard_of']
const applications = [
  { application_ref: 'app-vine', application_name: 'Old Vine' },
  { application_ref: 'app-barrel', application_name: 'Barrel & Co' },
  { application_ref: null, application_name: null },
]
const startMs = Date.now() - 30 * 86_400_000

beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
  const other = await desk.openShop()
  await orderIn(desk, other, { status: 'SUBMITTED' })
  for (const [index, status] of [...orderStatuses, ...orderStatuses, ...orderStatuses].entries()) {
    // Three orders share each moment, so that the order's number has to decide.
    const date_submitted = new Date(startMs + Math.floor(index / 3) * 3_600_000).toISOString()
    orders.push(
      ...(await Promise.all(
        methods
          .filter((_method, place) => (place + index) % 2 === 0)
          .map((method, place) =>
            orderIn(desk, shop, {
              status,
              method,
              date_submitted,
              ...applications[(index + place) % applications.length],
            }),
          ),
      )),
    )
  }
  // The others are late by weeks. One of these is due soon, at any pace of the test.
  for (const minutes of [0, 100])
    for (const method of ['shipped', 'on_demand'])
      orders.push(
        await orderIn(desk, shop, {
          status: 'SUBMITTED',
          method,
          date_submitted: new Date(Date.now() - minutes * 60_000).toISOString(),
          ...applications[0],
        }),
      )
  const active = orders.filter((order) => order.on_track_status !== null)
  for (const [index, { id }] of active.entries()) {
    if (index % 3 > 0) continue
    const { status, body } = await desk.call('PUT /m/v2/merchant/{tmk}/orders/{id}/taken', {
      as: index % 2 > 0 ? shop.member : shop.manager,
      params: { tmk: shop.key, id },
      body: {},
    })
    expect(status).toBe(200)
    orders = orders.map((order) => (order.id === id ? body : order))
  }
  // Printing would set the flag; the test sets it directly.
  const [printed] = orders.filter((order) => order.status === 'SUBMITTED')
  if (printed !== undefined)
    orders = orders.map((order) =>
      order === printed ? { ...order, printed_timestamp: '2026-11-01T10:00:00.000Z' } : order,
    )
  await desk.owner.query(
    `with moved as (
       update orders set display_group = 'printed', has_slip = true, document = (document::jsonb || '{"printed_timestamp":"2026-11-01T10:00:00.000Z"}')::json
       where order_id = $1 returning *
     ), gone as (
       update order_counts c set n = n - 1 from moved m
       where c.merchant_id = m.merchant_id and c.tab = m.tab and c.display_group = 'new'
         and c.delivery_method = m.delivery_method and c.application_ref = m.application_ref
     )
     insert into order_counts select merchant_id, tab, 'printed', delivery_method, application_ref, 1 from moved`,
    [printed?.id],
  )
})
afterAll(async () => desk.stop())

function combinations(): ListFilter[] {
  const statuses = [
    undefined,
    'new',
    'printed',
    'accepted',
    'shipped',
    'completed',
    'rejected',
    'new,printed',
    'shipped,rejected,completed',
  ]
  const sorts = [undefined, 'asc', 'desc'] as const
  return [undefined, ...tabs].flatMap((tab) =>
    statuses.flatMap((status, place) =>
      [undefined, ...methods.slice(1)].flatMap((method) =>
        [undefined, 'app-vine', 'app-barrel', 'app-nowhere'].map((application, index) => ({
          tab,
          status,
          method,
          application,
          look: (place + index) % 3 === 0 ? true : undefined,
          sort: sorts[(index + (method?.length ?? 0)) % sorts.length],
        })),
      ),
    ),
  )
}

/** The parts of the active tab, with each other filter. */
function combinationsOfParts(): ListFilter[] {
  const parts: Part[] = [
    { due: 'late' },
    { due: 'soon' },
    { taken_by: shop.member.id },
    { taken_by: shop.manager.id },
    { taken_by: shop.owner.id },
    { slip: 'missing' },
  ]
  return [undefined, ...parts].flatMap((part) =>
    [undefined, 'new', 'printed', 'accepted', 'shipped', 'new,printed'].flatMap((status) =>
      [undefined, 'on_demand', 'preorder'].flatMap((method) =>
        [undefined, 'app-vine'].flatMap((application) =>
          (['asc', 'desc', 'due'] as const).map((sort) => ({
            tab: 'active' as const,
            part,
            status,
            method,
            application,
            sort,
          })),
        ),
      ),
    ),
  )
}

async function differs(filter: ListFilter): Promise<unknown> {
  const { status, body } = await readPage(desk, shop, { ...queryOf(filter), limit: 100 })
  const model = expectedPage(orders, filter)
  const { tab, status: group, method, application, look, part, sort } = filter
  const asked = {
    tab,
    application_ref: application,
    delivery_method: method,
    status: group,
    needs_a_look: look && 'true',
    ...part,
  }
  const expected = {
    status: 200,
    ids: model.ids.slice(0, 100),
    total_rows: model.ids.length,
    counts: model.counts,
    available: model.available,
    current_filter: Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)),
    current_sort: sort === undefined ? {} : sort === 'due' ? { due: 'asc' } : { date: sort },
    sorts: ['date'],
  }
  const actual = {
    status,
    ids: body.items.map((order) => order.id),
    total_rows: body.total_rows,
    counts: body.counts,
    available: body.filters.available,
    current_filter: body.current_filter,
    current_sort: body.current_sort,
    sorts: body.sort.available,
  }
  try {
    expect(actual).toEqual(expected)
    return undefined
  } catch (error) {
    return { filter, error: String(error).slice(0, 2000) }
  }
}

test('LIST-017 LIST-018 LIST-019 LIST-020 API-026 ENT-047 ENT-048 ENT-049 every filter, sort and combination matches a count by hand', async () => {
  const waiting = [...combinations(), ...combinationsOfParts()]
  const problems: unknown[] = []
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      for (let filter = waiting.pop(); filter !== undefined; filter = waiting.pop())
        problems.push(...[await differs(filter)].filter((problem) => problem !== undefined))
    }),
  )
  expect(problems.slice(0, 3)).toEqual([])
})

/** The filters with orders, some of them, so that each sort and each part of the active tab is among them. */
const someLists = () =>
  [
    ...combinations().filter((_, index) => index % 17 === 0),
    ...combinationsOfParts().filter((_, index) => index % 5 === 0),
  ]
    .map((filter) => ({ filter, ids: expectedPage(orders, filter).ids }))
    .filter(({ ids }) => ids.length > 0)

async function idsOf(filter: ListFilter, further: Record<string, string | number | undefined>) {
  const { status, body } = await readPage(desk, shop, { ...queryOf(filter), ...further })
  return status === 200 ? body.items.map(({ id }) => id) : [status]
}

/** The place of an order in the list, as a link has it. */
function cursorAt(side: 'a' | 'b', { sort }: ListFilter, id: string | undefined): string {
  const order = orders.find((each) => each.id === id)
  const moment = sort === 'due' ? order?.on_track_status?.deadline_at : order?.date_submitted
  return `${side}.${Date.parse(moment ?? '')}.${id}`
}

test('API-026 under every filter and sort a cursor and an offset cut the list where a hand would', async () => {
  for (const [index, { filter, ids }] of someLists().entries()) {
    const at = (index * 5) % ids.length
    const [before, after] = [ids.slice(0, at), ids.slice(at + 1)]
    const found = await Promise.all([
      idsOf(filter, { limit: 2, cursor: cursorAt('a', filter, ids[at]) }),
      idsOf(filter, { limit: 2, cursor: cursorAt('b', filter, ids[at]) }),
      idsOf(filter, { limit: 2, offset: at }),
    ])
    expect([filter, ...found]).toEqual([filter, after.slice(0, 2), before.slice(-2), ids.slice(at, at + 2)])
  }
})

test('API-026 GAP-54 a reference finds its order only where the other filters, the cursor and the offset leave it', async () => {
  for (const [index, { filter, ids }] of someLists().entries()) {
    const at = (index * 5) % ids.length
    for (const order of [
      orders[(index * 7) % orders.length],
      orders.find(({ id }) => id === ids[(index * 3) % ids.length]),
    ]) {
      const key = { 'filter[order_key]': order?.thirstie_logistic_order_ref }
      const place = ids.indexOf(order?.id ?? '')
      const found = await Promise.all([
        idsOf(filter, key),
        idsOf(filter, { ...key, cursor: cursorAt('a', filter, ids[at]) }),
        idsOf(filter, { ...key, cursor: cursorAt('b', filter, ids[at]) }),
        idsOf(filter, { ...key, offset: 1 }),
      ])
      const isIn = [place >= 0, place > at, place >= 0 && place < at, false]
      expect([filter, order?.id, ...found]).toEqual([
        filter,
        order?.id,
        ...isIn.map((is) => (is ? [order?.id] : [])),
      ])
    }
  }
})

test('LIST-002 LIST-003 API-029 the counts per tab match a count by hand, and ignore the filters', async () => {
  const { body } = await desk.call('GET /m/v2/merchant/{tmk}/orders/count', {
    as: shop.member,
    params: { tmk: shop.key },
  })
  expect(body.counts).toEqual(expectedPage(orders, {}).counts)
})

/** As the specification has it, written out: the list's own model asks the product's rules. */
const places: Record<OrderStatus, string> = {
  SUBMITTED: 'active new',
  MERCHANT_ACCEPTED: 'active accepted',
  PAYMENT_SUBMITTED: 'active accepted',
  PAYMENT_APPROVED: 'active accepted',
  PAYMENT_DECLINED: 'on_hold rejected',
  MERCHANT_SHIPPED: 'completed shipped',
  CLOSED: 'completed completed',
  REJECTED_PARTIAL: 'on_hold rejected',
  MERCHANT_REJECTED: 'cancelled rejected',
  CANCELLED: 'cancelled rejected',
  DISPUTED: 'on_hold completed',
  REFUNDED: 'cancelled rejected',
}

function placeOf({ status, delivery, printed_timestamp }: Order): string {
  if (status === 'SUBMITTED' && printed_timestamp !== null) return 'active printed'
  const isLocal = ['on_demand', 'scheduled'].includes(delivery.method)
  return status === 'MERCHANT_SHIPPED' && isLocal ? 'active shipped' : places[status]
}

test('STATE-001 STATE-002 STATE-003 STATE-004 STATE-005 STATE-006 STATE-007 STATE-008 STATE-009 GAP-105 GAP-106 an order of each status is in its tab, under its filter', async () => {
  const found = new Map<string, string[]>()
  for (const tab of ['active', 'on_hold', 'cancelled', 'completed'])
    for (const group of ['new', 'printed', 'accepted', 'shipped', 'completed', 'rejected']) {
      const { body } = await readPage(desk, shop, {
        'filter[tab]': tab,
        'filter[status]': group,
        limit: 100,
      })
      for (const { id } of body.items) found.set(id, [...(found.get(id) ?? []), `${tab} ${group}`])
    }
  expect(new Set(orders.map(({ status }) => status)).size).toBe(12)
  const shown = (order: Order, at: string[] | undefined) => [order.status, order.delivery.method, at]
  expect(orders.map((order) => shown(order, found.get(order.id)))).toEqual(
    orders.map((order) => shown(order, [placeOf(order)])),
  )
})

test('API-028 ENT-050 GAP-80 the offered filters are the orders’ applications and methods', async () => {
  const { body } = await desk.call('GET /m/v2/merchant/{tmk}/orders/filters', {
    as: shop.member,
    params: { tmk: shop.key },
  })
  expect(body).toEqual({
    application: {
      options: [
        { name: 'Barrel & Co', uuid: 'app-barrel' },
        { name: 'Old Vine', uuid: 'app-vine' },
      ],
    },
    delivery_methods: { options: methods.toSorted().map((name) => ({ name })) },
  })
})

test('LIST-030 GAP-79 a page has 30 orders unless a call asks for fewer or more, and each order is complete', async () => {
  const { body } = await readPage(desk, shop)
  expect(body.items).toHaveLength(30)
  expect(body.timezone).toBe('America/New_York')
  const [first] = body.items
  const detail = await desk.call('GET /m/v2/orders/{id}', {
    as: shop.member,
    params: { id: first?.id ?? '' },
  })
  const { history: _history, on_track_status: _badge, ...whole } = detail.body
  expect(first).toMatchObject(whole)
  expect((await readPage(desk, shop, { limit: 1 })).body.items).toHaveLength(1)
})

test('API-026 GAP-54 one order is found by its reference', async () => {
  const wanted = orders[7]
  const { body } = await readPage(desk, shop, { 'filter[order_key]': wanted?.thirstie_logistic_order_ref })
  expect([body.items.map((order) => order.id), body.total_rows, body.next_url]).toEqual([
    [wanted?.id],
    1,
    null,
  ])
})

describe('GAP-74 the list refuses queries that it does not know', () => {
  test.each([
    'filter[tab]=ACTIVE',
    'filter[tab]=on-hold',
    'filter[tab]=',
    'filter[tab]=active&filter[tab]=on_hold',
    'filter[tab]=constructor',
    'filter[status]=SUBMITTED',
    'filter[status]=new,',
    'filter[status]=new;accepted',
    'filter[brand]=x',
    'filter=x',
    'filter[delivery_method]=On Demand',
    'filter[application_ref]=a b',
    'sort[date]=up',
    'sort[date]=asc&sort[date]=desc',
    'sort[total]=asc',
    'sort=date',
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=1.5',
    'limit=ten',
    'limit=',
    'limit=5&limit=5',
    'offset=-1',
    'offset=1e99',
    'offset=x',
    'cursor=a.1',
    'cursor=c.1.1',
    'cursor=a.99999999999999999999.1',
    'cursor=a.1.1;drop',
    'page=2',
    '__proto__=x',
    'constructor[prototype]=x',
  ])('%s', async (query) => {
    const answer = await desk.send('GET', `/m/v2/merchant/${shop.key}/orders/optimized?${query}`, {
      as: shop.member,
    })
    expect([answer.status, answer.refusal.code]).toEqual([400, 'validation_failed'])
    expect(Object.keys(answer.refusal.errors).length).toBeGreaterThan(0)
  })
})
