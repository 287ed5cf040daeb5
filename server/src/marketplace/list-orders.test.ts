import type { Order } from '@cellarhand/contract/orders'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { marketplaceCredential, openDesk, type Desk, type Shop } from '../../test/desk.ts'
import { anOrder } from '../../test/orders.ts'

let desk: Desk
let first: Shop
let second: Shop
beforeAll(async () => {
  desk = await openDesk()
})
beforeEach(async () => {
  first = await desk.openShop()
  second = await desk.openShop()
})
afterAll(() => desk.stop())

const list = (query: Record<string, string | number> = {}) =>
  desk.call('GET /marketplace/v1/orders', { as: marketplaceCredential, query })

/** Every order that the pages show, and how many pages that took. */
async function walk(query: Record<string, string | number>) {
  const seen: { merchant: string; id: string }[] = []
  for (let pages = 1, cursor: string | null = ''; ; pages++) {
    const { status, body } = await list({ ...query, ...(cursor ? { cursor } : {}) })
    expect(status).toBe(200)
    seen.push(...body.orders.map(({ merchant, id }) => ({ merchant, id })))
    cursor = body.next_cursor
    if (cursor === null) return { seen, pages }
  }
}

const placesOf = (shop: Shop, orders: readonly Order[]) =>
  orders
    .toSorted((a, b) => a.date_submitted.localeCompare(b.date_submitted) || a.id.localeCompare(b.id))
    .map(({ id }) => ({ merchant: shop.key, id }))

describe('GAP-29 the marketplace lists orders', () => {
  test('of all merchants, each once, however long a page is', async () => {
    const ofFirst = await desk.orders(first, 5)
    const ofSecond = await desk.orders(second, 4)
    const own = new Set([first.key, second.key])
    for (const limit of [1, 2, 7, 100]) {
      const { seen } = await walk({ limit })
      const wanted = [...placesOf(first, ofFirst), ...placesOf(second, ofSecond)]
      expect(seen.filter(({ merchant }) => own.has(merchant))).toEqual(
        wanted.toSorted((a, b) => (a.merchant === b.merchant ? 0 : a.merchant < b.merchant ? -1 : 1)),
      )
    }
  })

  test('of one merchant, in the order of submission, also those of the same moment', async () => {
    const at = new Date(Date.now() - 3_600_000).toISOString()
    const orders = await desk.orders(first, 5, () => ({ date_submitted: at }))
    const earlier = await desk.order(first, {
      date_submitted: new Date(Date.now() - 7_200_000).toISOString(),
    })
    await desk.order(second)
    const { seen, pages } = await walk({ merchant: first.key, limit: 2 })
    expect(seen).toEqual(placesOf(first, [...orders, earlier]))
    expect(pages).toBe(3)
  })

  test('whole: a listed order is the one that reading it answers, beside the key of its merchant', async () => {
    const { id } = await desk.order(first)
    await desk.call('PUT /m/v2/orders/{id}', {
      as: first.owner,
      params: { id },
      body: { status: 'MERCHANT_ACCEPTED' },
    })
    const read = await desk.call('GET /marketplace/v1/orders/{id}', {
      as: marketplaceCredential,
      params: { id },
    })
    const { body } = await list({ merchant: first.key })
    const { on_track_status: badge, ...order } = read.body
    expect(body.orders).toMatchObject([{ ...order, merchant: first.key, status: 'MERCHANT_ACCEPTED' }])
    expect(body.orders[0]?.on_track_status?.type).toBe(badge?.type)
    expect(body.next_cursor).toBeNull()
  })

  test('by its own reference, with every merchant that has it', async () => {
    const thirstie_logistic_order_ref = anOrder(first.key).thirstie_logistic_order_ref
    const one = await desk.order(first, { thirstie_logistic_order_ref })
    await desk.order(first)
    const found = async (query: Record<string, string | number>) =>
      (await walk({ ref: thirstie_logistic_order_ref, ...query })).seen
    expect(await found({})).toEqual([{ merchant: first.key, id: one.id }])
    const other = await desk.order(second, { thirstie_logistic_order_ref })
    expect(await found({ merchant: second.key })).toEqual([{ merchant: second.key, id: other.id }])
    for (const limit of [1, 2])
      expect((await found({ limit })).map(({ id }) => id).toSorted()).toEqual([one.id, other.id].toSorted())
    expect(await found({ merchant: 'nobody' })).toEqual([])
    expect((await list({ ref: 'never-sent' })).body).toEqual({ orders: [], next_cursor: null })
  })

  test.each([
    ['cursor', 'x'],
    ['cursor', Buffer.from('["a","b"]').toString('base64url')],
    ['cursor', Buffer.from('["a","2026-13-45T00:00:00.000Z","1"]').toString('base64url')],
    // A date that JavaScript reads and PostgreSQL does not.
    ['cursor', Buffer.from('["a","2026-02-30T00:00:00.000Z","1"]').toString('base64url')],
    ['cursor', Buffer.from('["a","0000-01-01T00:00:00.000Z","1"]').toString('base64url')],
    ['cursor', Buffer.from(`["a'","2026-11-20T00:00:00.000Z","1"]`).toString('base64url')],
    ['limit', '0'],
    ['limit', '101'],
    ['ref', 'two words'],
    ['status', 'CLOSED'],
  ])('and a wrong %s is a 400 at that field: %s', async (field, value) => {
    const { status, refusal } = await list({ [field]: value })
    expect([status, Object.keys(refusal.errors)]).toEqual([400, [field]])
  })
})

describe('GAP-29 a reference that is taken', () => {
  test('answers the order that has it, as it is now', async () => {
    const body = anOrder(first.key)
    const order = await desk.order(first, body)
    await desk.call('PUT /m/v2/orders/{id}', {
      as: first.owner,
      params: { id: order.id },
      body: { status: 'MERCHANT_ACCEPTED' },
    })
    const again = await desk.call('POST /marketplace/v1/orders', { as: marketplaceCredential, body })
    expect([again.status, again.refusal.code]).toEqual([409, 'duplicate_order'])
    expect(again.refusal['order']).toMatchObject({ id: order.id, status: 'MERCHANT_ACCEPTED', version: 2 })
  })

  test('does so too when two requests come at the same moment, and the second leaves nothing behind', async () => {
    const body = anOrder(first.key)
    const sent = await Promise.all(
      Array.from({ length: 8 }, () =>
        desk.call('POST /marketplace/v1/orders', { as: marketplaceCredential, body }),
      ),
    )
    const [taken, ...more] = sent.filter(({ status }) => status === 201)
    expect(more).toEqual([])
    for (const { status, refusal } of sent)
      if (status !== 201) expect(refusal['order']).toMatchObject({ id: taken?.body.id })
    const { rows } = await desk.owner.query(
      `select (select count(*)::int from orders where merchant_id = $1) as orders,
         (select sum(n)::int from order_counts where merchant_id = $1) as counted,
         (select count(*)::int from order_history where merchant_id = $1) as history,
         (select count(*)::int from order_alarms where merchant_id = $1) as alarms,
         (select count(*)::int from outbox where merchant_id = $1) as events`,
      [first.key],
    )
    expect(rows).toEqual([{ orders: 1, counted: 1, history: 1, alarms: 1, events: 1 }])
  })
})
