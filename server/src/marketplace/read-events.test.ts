import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { marketplaceCredential, openDesk, type Desk, type Shop } from '../../test/desk.ts'
import { eventually } from '../../test/eventually.ts'
import { orderIn } from '../../test/order-steps.ts'

let desk: Desk
let shop: Shop
beforeAll(async () => {
  desk = await openDesk()
})
afterAll(async () => desk.stop())
beforeEach(async () => {
  shop = await desk.openShop()
  await desk.owner.query('delete from outbox')
})

async function read(query: { after?: number; limit?: number } = {}) {
  const { status, body } = await desk.call('GET /marketplace/v1/events', { as: marketplaceCredential, query })
  expect(status).toBe(200)
  return body
}

/** Until the publisher has numbered so many. */
async function published(count: number) {
  return eventually(async () => {
    const body = await read()
    expect(body.events).toHaveLength(count)
    return body
  })
}

test('GAP-29 a receiver that missed events reads on after the last one that it knows, as the webhook would have told them', async () => {
  const order = await orderIn(desk, shop, { status: 'MERCHANT_ACCEPTED' })
  const { events, next, has_more, has_gap } = await published(2)
  expect([next, has_more, has_gap]).toEqual([events[1]?.position, false, false])
  expect(events.map(({ type, data }) => [type, data])).toMatchObject([
    ['order.created', { id: order.id, merchant: shop.key, status: 'SUBMITTED', version: 1 }],
    ['order.updated', { id: order.id, merchant: shop.key, status: 'MERCHANT_ACCEPTED', version: 2 }],
  ])
  const { rows } = await desk.owner.query('select webhook_id from outbox order by event_id')
  expect(rows).toEqual(events.map(({ webhook_id }) => ({ webhook_id })))

  const first = await read({ limit: 1 })
  expect([first.events, first.next, first.has_more]).toEqual([[events[0]], events[0]?.position, true])
  const rest = await read({ after: first.next })
  expect([rest.events, rest.has_more, rest.has_gap]).toEqual([[events[1]], false, false])
  expect(await read({ after: rest.next })).toEqual({
    events: [],
    next: rest.next,
    has_more: false,
    has_gap: false,
  })
})

test('who has taken an order is not among the events, and leaves no gap', async () => {
  const order = await orderIn(desk, shop, { status: 'MERCHANT_ACCEPTED' })
  const taken = await desk.call('PUT /m/v2/merchant/{tmk}/orders/{id}/taken', {
    as: shop.member,
    params: { tmk: shop.key, id: order.id },
    body: {},
  })
  expect(taken.status).toBe(200)
  await orderIn(desk, shop, { status: 'MERCHANT_ACCEPTED' })
  const { events, has_gap } = await published(4)
  expect(events.map(({ type }) => type)).toEqual(Array(2).fill(['order.created', 'order.updated']).flat())
  const places = await desk.owner.query('select 1 from outbox where position is not null and is_internal')
  expect([places.rowCount, has_gap]).toEqual([1, false])
})

test('events that are deleted already are told as a gap', async () => {
  await orderIn(desk, shop, { status: 'MERCHANT_ACCEPTED' })
  const { events } = await published(2)
  const before = (events[0]?.position ?? 0) - 1
  expect((await read({ after: before })).has_gap).toBe(false)
  await desk.owner.query('delete from outbox where position = $1', [events[0]?.position])
  expect(await read({ after: before })).toMatchObject({ events: [events[1]], has_gap: true })
  expect((await read({ after: events[0]?.position ?? 0 })).has_gap).toBe(false)
})

test('a position or a limit that is none is refused', async () => {
  for (const query of [{ after: -1 }, { limit: 0 }, { limit: 501 }]) {
    const { status } = await desk.call('GET /marketplace/v1/events', { as: marketplaceCredential, query })
    expect([query, status]).toEqual([query, 400])
  }
})
