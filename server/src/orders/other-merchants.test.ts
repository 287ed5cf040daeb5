import type { Order } from '@cellarhand/contract/orders'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDesk, type Desk, type Shop } from '../../test/desk.ts'
import { readPage } from '../../test/list-model.ts'
import { orderIn, storedOrder } from '../../test/order-steps.ts'
import { saidBy, textOf, visible } from '../../test/refusals.ts'

let desk: Desk
let own: Shop
let other: Shop
let theirs: Order
beforeAll(async () => {
  desk = await openDesk()
  own = await desk.openShop()
  other = await desk.openShop()
  theirs = await orderIn(desk, other, { status: 'MERCHANT_SHIPPED', method: 'on_demand' })
})
afterAll(async () => desk.stop())

const calls: [string, string, (id: string) => string, object?][] = [
  ['reading', 'GET', (id) => `/m/v2/orders/${id}`],
  ['accepting', 'PUT', (id) => `/m/v2/orders/${id}`, { status: 'MERCHANT_ACCEPTED' }],
  [
    'shipping',
    'POST',
    (id) => `/m/v2/orders/${id}`,
    { status: 'MERCHANT_SHIPPED', order: { tracking_provider: 'UPS', tracking_id: '1' } },
  ],
  [
    'reporting',
    'PUT',
    (id) => `/m/v2/orders/${id}`,
    { status: 'REJECTED_PARTIAL', order: { rejection_message: '{"outOfStock":{"p-1":{"checked":true}}}' } },
  ],
  [
    'delivering',
    'POST',
    (id) => `/m/v2/orders/${id}`,
    { status: 'CLOSED', delivery_info: { delivered_on: '2026-11-20T10:00:00Z' } },
  ],
  [
    'rejecting',
    'POST',
    (id) => `/m/v2/merchant/OWN/orders/${id}/reject`,
    { reason: { code: 'bad_weather' } },
  ],
  [
    'its instructions',
    'POST',
    (id) => `/m/v2/merchant/OWN/orders/${id}/delivery_instructions`,
    { delivery_instructions: 'x' },
  ],
  [
    'its delivery',
    'POST',
    (id) => `/m/v2/merchant/OWN/orders/${id}/data`,
    { delivered_on: '2026-11-20T10:00:00Z' },
  ],
]

describe('GEN-007 another merchant’s order is a 404 like one that never existed', () => {
  test.each(calls)('%s', async (...[, method, path, body]) => {
    const before = await storedOrder(desk, theirs.id)
    const ask = async (id: string) =>
      desk.send(method, path(id).replace('OWN', own.key), {
        as: own.owner,
        ...(body === undefined ? {} : { body }),
      })
    const foreign = await ask(theirs.id)
    expect(visible(foreign)).toEqual(visible(await ask('9999999')))
    expect([foreign.status, saidBy(foreign)]).toEqual([
      404,
      { message: "We couldn't find what you are looking for.", code: 'not_found' },
    ])
    expect(await storedOrder(desk, theirs.id)).toEqual(before)
  })

  test('in the list, its counts, its filters, and by its reference', async () => {
    const { body } = await readPage(desk, own)
    expect([body.items, body.total_rows, body.counts]).toEqual([
      [],
      0,
      { active: 0, on_hold: 0, completed: 0, cancelled: 0 },
    ])
    expect(body.filters.available).toEqual({
      application_ref: { options: [] },
      status: { options: [] },
      delivery_method: { options: [] },
    })
    const byReference = await readPage(desk, own, { 'filter[order_key]': theirs.thirstie_logistic_order_ref })
    expect(byReference.body.items).toEqual([])
    const filters = await desk.call('GET /m/v2/merchant/{tmk}/orders/filters', {
      as: own.owner,
      params: { tmk: own.key },
    })
    expect(filters.body).toEqual({ application: { options: [] }, delivery_methods: { options: [] } })
  })

  test('GAP-52 under another merchant’s key everything is forbidden, whether or not that shop exists', async () => {
    const answers = await Promise.all(
      [other.key, 'no-such-shop', `${own.key}x`].map(async (tmk) =>
        desk.call('GET /m/v2/merchant/{tmk}/orders/optimized', { as: own.owner, params: { tmk } }),
      ),
    )
    expect(new Set(answers.map(textOf)).size).toBe(1)
    expect(answers.map(({ status, refusal }) => [status, refusal.code])).toEqual(
      answers.map(() => [403, 'forbidden']),
    )
  })
})
