import type { Order } from '@cellarhand/contract/orders'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDesk, marketplaceCredential, type Desk, type Shop } from '../../../test/desk.ts'
import { counterOf, storedOrder } from '../../../test/order-steps.ts'
import { anItem } from '../../../test/orders.ts'

let desk: Desk
let shop: Shop
beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
})
afterAll(async () => desk.stop())

const at = (order: Order) => counterOf(desk, { key: shop.key, as: shop.member }, order)
const report = (entry: object, line = 'p-gin') => ({
  status: 'REJECTED_PARTIAL' as const,
  order: {
    rejection_message: JSON.stringify({ outOfStock: { [line]: { checked: true, reason: '', ...entry } } }),
  },
})
/** Six bottles of gin at $10 and one of rye at $52. */
const sixAndOne = () =>
  desk.order(shop, {
    items: [
      anItem({ id: 'gin', name: 'Gin', product: { id: 'p-gin' }, quantity: 6, price: 10, subtotal: 60 }),
      anItem({ id: 'rye', name: 'Rye', product: { id: 'p-rye' } }),
    ],
    transaction: { subtotal: 112, tax: 11.2, total: 123.2 },
  })
const reported = (order: Order) =>
  (JSON.parse(order.rejection_message ?? '{}') as { outOfStock?: unknown }).outOfStock

describe('a part of a line', () => {
  test('ACT-018 GAP-101 parts add up, the marketplace reads the sums without them, and the last piece makes the whole line', async () => {
    const order = await sixAndOne()
    const { body } = await at(order).update(report({ quantity: 4, reason: 'within 48 hrs' }))
    expect(body.status).toBe('REJECTED_PARTIAL')
    expect(reported(body)).toEqual({
      'p-gin': { checked: true, reason: 'within 48 hrs', missing: 4, of: 6 },
    })
    expect(body.status_comment).toBe('Out of stock: 4 of 6 Gin, within 48 hrs')
    const line = { line_id: 'gin', name: 'Gin', quantity: 6 }
    expect(body.shortage).toEqual({ lines: [{ ...line, missing: 4 }], total: 79.2, refund: 44 })
    const further = await at(body).update(report({ quantity: 1 }))
    expect(reported(further.body)).toEqual({ 'p-gin': { checked: true, reason: '', missing: 5, of: 6 } })
    const read = await desk.call('GET /marketplace/v1/orders/{id}', {
      as: marketplaceCredential,
      params: { id: order.id },
    })
    expect(read.body.shortage).toEqual({ lines: [{ ...line, missing: 5 }], total: 68.2, refund: 55 })
    const last = await at(body).update(report({ quantity: 1 }))
    expect(reported(last.body)).toEqual({ 'p-gin': { checked: true, reason: '' } })
    const { history } = (
      await desk.call('GET /m/v2/orders/{id}', { as: shop.member, params: { id: order.id } })
    ).body
    expect(history.filter(({ action }) => action === 'report_items').map(({ details }) => details)).toEqual(
      [
        { quantity: 1 },
        { quantity: 1, missing: 5, of: 6 },
        { quantity: 4, missing: 4, of: 6, reason: 'within 48 hrs' },
      ].map((entry) => ({ outOfStock: { 'p-gin': { checked: true, reason: '', ...entry } } })),
    )
  })

  test('ACT-018 GAP-101 more than there are is refused with words, and so is no quantity at all', async () => {
    const order = await sixAndOne()
    const problemOf = async (entry: object) => {
      const answer = await at(order).update(report(entry))
      return [answer.status, answer.refusal.errors]
    }
    const before = await storedOrder(desk, order.id)
    expect(await problemOf({ quantity: 7 })).toEqual([
      400,
      { rejection_message: 'Only 6 of this line were ordered' },
    ])
    for (const quantity of [0, -1, 1.5, '2', 1e300, {}])
      expect(await problemOf({ quantity })).toEqual([
        400,
        { rejection_message: 'The quantity must be a whole number above 0' },
      ])
    expect(await storedOrder(desk, order.id)).toEqual(before)
    await at(order).update(report({ quantity: 4 }))
    expect(await problemOf({ quantity: 3 })).toEqual([
      400,
      { rejection_message: '4 of 6 are reported already; report at most 2 more' },
    ])
    // A client sends back all that it has handled so far: a copy of a stored part adds nothing.
    expect(await problemOf({ missing: 4, of: 6 })).toEqual([
      400,
      { rejection_message: 'Report at least one line that is not reported yet' },
    ])
    await at(order).update(report({ quantity: 2 }))
    expect(await problemOf({ quantity: 1 })).toEqual([
      400,
      { rejection_message: 'All 6 of this line are reported already' },
    ])
  })

  test('GAP-101 without a quantity a report means the whole line, also after a part of it', async () => {
    const order = await sixAndOne()
    const part = await at(order).update(report({ quantity: 2 }))
    const whole = await at(part.body).update(report({}))
    expect(reported(whole.body)).toEqual({ 'p-gin': { checked: true, reason: '' } })
    expect(whole.body.shortage?.lines).toMatchObject([{ line_id: 'gin', missing: 6 }])
  })

  test('GAP-100 GAP-102 ACT-004 an order whose every line is reported in part is rejected in part, or whole', async () => {
    const order = await desk.order(shop, {
      items: [anItem({ product: { id: 'p-gin' }, quantity: 3, subtotal: 156 })],
    })
    const rejection_message = report({ quantity: 1 }).order.rejection_message
    const reason = { code: 'bad_weather' }
    const partly = await at(order).reject({ status: 'REJECTED_PARTIAL', reason, rejection_message })
    expect([partly.status, partly.body.status]).toEqual([200, 'REJECTED_PARTIAL'])
    expect(partly.body.shortage).toMatchObject({ lines: [{ missing: 1, quantity: 3 }] })
    const whole = await at(partly.body).reject({ reason })
    expect([whole.status, whole.body.status, whole.body.shortage]).toEqual([
      200,
      'MERCHANT_REJECTED',
      undefined,
    ])
  })

  test('T10 GAP-102 the marketplace resumes with the pieces that are there, and nothing is missing any more', async () => {
    const order = await sixAndOne()
    const { body } = await at(order).update(report({ quantity: 4 }))
    const resumed = await at(body).tell({
      status: 'SUBMITTED',
      items: [
        anItem({ id: 'gin', name: 'Gin', product: { id: 'p-gin' }, quantity: 2, price: 10, subtotal: 20 }),
        anItem({ id: 'rye', name: 'Rye', product: { id: 'p-rye' } }),
      ],
      transaction: { subtotal: 72, tax: 7.2, total: body.shortage?.total ?? 0 },
    })
    expect([resumed.status, resumed.body.shortage, resumed.body.rejection_message]).toEqual([
      200,
      undefined,
      null,
    ])
  })

  test('GAP-62 two lines of one product count together, and the later one gives way first', async () => {
    const gin = (id: string, quantity: number) =>
      anItem({ id, product: { id: 'p-gin' }, quantity, price: 10, subtotal: 10 * quantity })
    const order = await desk.order(shop, { items: [gin('a', 2), gin('b', 3), anItem({ id: 'c' })] })
    const { body } = await at(order).update(report({ quantity: 4 }))
    expect(body.shortage?.lines.map(({ line_id: id, missing }) => [id, missing])).toEqual([
      ['a', 1],
      ['b', 3],
    ])
  })
})
