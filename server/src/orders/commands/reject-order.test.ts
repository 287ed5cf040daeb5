import type { Order } from '@cellarhand/contract/orders'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDesk, type Desk, type Shop } from '../../../test/desk.ts'
import {
  counterOf,
  giveCourierAndParcel,
  orderIn,
  storedOrder,
  takeStep,
  twoItems,
} from '../../../test/order-steps.ts'
import { anItem } from '../../../test/orders.ts'

let desk: Desk
let shop: Shop
beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
})
afterAll(async () => desk.stop())

const at = (order: Order) => counterOf(desk, { key: shop.key, as: shop.member }, order)
const some = JSON.stringify({ outOfStock: { 'p-1': { checked: true, reason: '' } } })

test.each([
  ['customer_cancelled', 'Customer cancelled'],
  ['courier_issue', 'Courier issue'],
  ['bad_weather', 'Bad weather'],
  ['store_closed', 'Store closed'],
])(
  'ACT-003 ACT-006 API-033 GAP-72 %s rejects the order with its label as the comment',
  async (code, label) => {
    const order = await orderIn(desk, shop, { status: 'SUBMITTED' })
    const { status, body } = await at(order).reject({ reason: { code, value: 'not this' } })
    expect([status, body.status, body.status_comment]).toEqual([200, 'MERCHANT_REJECTED', label])
    expect(JSON.parse(body.rejection_message ?? '')).toEqual({
      orderRejected: { 'p-1': { checked: true, reason: label }, 'p-2': { checked: true, reason: label } },
    })
  },
)

test('ACT-007 GAP-72 the reason other needs a text, which becomes the comment', async () => {
  const order = await orderIn(desk, shop, { status: 'SUBMITTED' })
  const before = await storedOrder(desk, order.id)
  for (const value of [undefined, null, '', ' \n']) {
    const answer = await at(order).reject({ reason: { code: 'other', value } })
    expect([answer.status, answer.refusal.errors]).toEqual([
      400,
      { 'reason.value': 'Please insert a reason' },
    ])
  }
  expect(await storedOrder(desk, order.id)).toEqual(before)
  const { body } = await at(order).reject({ reason: { code: 'other', value: '  Cork taint  ' } })
  expect(body).toMatchObject({ status: 'MERCHANT_REJECTED', status_recent_comment: 'Cork taint' })
})

test('ACT-006 a reason that is not on the list is refused', async () => {
  const order = await orderIn(desk, shop, { status: 'SUBMITTED' })
  for (const code of ['', 'OTHER', 'toString', 7, null])
    expect((await at(order).reject({ reason: { code, value: 'x' } })).status).toBe(400)
})

test('STATE-006 GAP-104 the old name of the status is accepted, and never returned', async () => {
  const order = await orderIn(desk, shop, { status: 'PAYMENT_APPROVED' })
  const { body } = await at(order).reject({ status: 'REJECTED_MERCHANT', reason: { code: 'bad_weather' } })
  expect(body.status).toBe('MERCHANT_REJECTED')
})

describe('in part', () => {
  test('ACT-004 T09 GAP-100 some lines reported: the order is held with the reason, not fully rejected', async () => {
    const order = await orderIn(desk, shop, { status: 'SUBMITTED' })
    const whole = await at(order).reject({ reason: { code: 'bad_weather' }, rejection_message: some })
    expect([whole.status, whole.refusal.code]).toEqual([409, 'invalid_transition'])
    const partly = await at(order).reject({
      status: 'REJECTED_PARTIAL',
      reason: { code: 'other', value: 'One bottle broke' },
      rejection_message: some,
    })
    expect(partly.body).toMatchObject({
      status: 'REJECTED_PARTIAL',
      status_comment: 'One bottle broke',
      rejection_message: some,
    })
  })

  test('T09 GAP-100 no line or every line reported is no partial rejection', async () => {
    const order = await orderIn(desk, shop, { status: 'SUBMITTED' })
    const all = JSON.stringify({
      outOfStock: { 'p-1': { checked: true } },
      wrongPrice: { 'p-2': { checked: true, price: 9 } },
    })
    for (const rejection_message of [undefined, all]) {
      const answer = await at(order).reject({
        status: 'REJECTED_PARTIAL',
        reason: { code: 'bad_weather' },
        rejection_message,
      })
      expect([answer.status, answer.refusal.code]).toEqual([409, 'invalid_transition'])
    }
    const whole = await at(order).reject({ reason: { code: 'bad_weather' }, rejection_message: all })
    expect([whole.status, whole.body.status]).toEqual([200, 'MERCHANT_REJECTED'])
    expect(Object.keys(JSON.parse(whole.body.rejection_message ?? ''))).toEqual([
      'outOfStock',
      'wrongPrice',
      'orderRejected',
    ])
  })

  test('T05 GAP-102 an order that is held in part can be rejected in full', async () => {
    const order = await orderIn(desk, shop, { status: 'SUBMITTED' })
    await at(order).reject({
      status: 'REJECTED_PARTIAL',
      reason: { code: 'other', value: 'One bottle broke' },
      rejection_message: some,
    })
    const held = await desk.call('GET /m/v2/orders/{id}', { as: shop.member, params: { id: order.id } })
    expect(held.body.status).toBe('REJECTED_PARTIAL')
    const { body } = await at(order).reject({
      status: 'MERCHANT_REJECTED',
      reason: { code: 'customer_cancelled' },
    })
    expect([body.status, body.status_comment]).toEqual(['MERCHANT_REJECTED', 'Customer cancelled'])
    expect(JSON.parse(body.rejection_message ?? '')).toEqual({
      ...JSON.parse(some),
      orderRejected: {
        'p-1': { checked: true, reason: 'Customer cancelled' },
        'p-2': { checked: true, reason: 'Customer cancelled' },
      },
    })
  })

  test('GAP-100 an engraving is part of its line, so reporting every bottle is reporting all', async () => {
    const order = await orderIn(desk, shop, {
      status: 'SUBMITTED',
      items: [
        ...twoItems(),
        anItem({
          id: 'e',
          name: 'engraving',
          product: null,
          parent_line_item_id: 'line-1',
          aux_data: { engraving_message: ['To Ana'] },
        }),
      ],
    })
    const all = JSON.stringify({ outOfStock: { 'p-1': { checked: true }, 'p-2': { checked: true } } })
    const { status } = await at(order).reject({ reason: { code: 'bad_weather' }, rejection_message: all })
    expect(status).toBe(200)
  })
})

test('T10 GAP-102 a held order resumes with corrected lines; its reports stay in its history', async () => {
  const order = await orderIn(desk, shop, { status: 'REJECTED_PARTIAL' })
  for (const body of [{}, { items: twoItems() }, { transaction: order.transaction }]) {
    const answer = await at(order).tell({ status: 'SUBMITTED', ...body })
    expect([answer.status, answer.refusal.code]).toEqual([400, 'validation_failed'])
  }
  const wrong = await at(order).tell({
    status: 'SUBMITTED',
    items: twoItems(),
    transaction: { ...order.transaction, total: order.transaction.total + 0.01 },
  })
  expect([wrong.status, Object.keys(wrong.refusal.errors)]).toEqual([400, ['transaction.total']])
  const { body } = await takeStep(desk, shop, { order, step: 'resume' })
  expect(body).toMatchObject({
    status: 'SUBMITTED',
    rejection_message: null,
    status_comment: 'The customer agreed',
  })
  expect(body.items.map(({ id }) => id)).toEqual(['line-9'])
  const { rows } = await desk.owner.query(
    `select details->>'rejection_message' as kept from order_history where order_id = $1 and action = 'resume'`,
    [order.id],
  )
  expect(rows).toEqual([{ kept: order.rejection_message }])
})

test.each(['reject', 'cancel'] as const)(
  'T05 T24 the change to %s ends a courier request that still runs',
  async (step) => {
    const order = await orderIn(desk, shop, { status: 'MERCHANT_ACCEPTED', method: 'on_demand' })
    await giveCourierAndParcel(desk, order)
    const { body } = await takeStep(desk, shop, { order, step })
    expect(body.courier_info?.order_status).toBe('ORDER_CANCELLED')
  },
)

test('LIST-009 T10 T13 T25 the comment says why an order is held now, and not why it was held before', async () => {
  const comments = async (order: Order, ...steps: object[]) => {
    const seen: (string | null)[] = []
    for (const step of steps) seen.push((await at(order).tell(step)).body.status_comment)
    return seen
  }
  const order = await orderIn(desk, shop, { status: 'REJECTED_PARTIAL' })
  expect(order.status_comment).toMatch(/^Out of stock: /)
  const { items, transaction } = await desk.order(shop, { items: [anItem()] })
  expect(await comments(order, { status: 'SUBMITTED', items, transaction })).toEqual([null])
  await takeStep(desk, shop, { order, step: 'accept' })
  expect(await comments(order, { status: 'PAYMENT_DECLINED' })).toEqual(['Payment declined'])
  const closed = await orderIn(desk, shop, { status: 'CLOSED' })
  expect(
    await comments(
      closed,
      { status: 'DISPUTED' },
      { status: 'CLOSED' },
      { status: 'DISPUTED', comment: 'Card lost' },
    ),
  ).toEqual(['Payment disputed', 'Payment disputed', 'Card lost'])
})
