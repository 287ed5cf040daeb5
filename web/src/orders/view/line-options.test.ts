import type { OrderStatus } from '@cellarhand/contract/order-statuses'
import { orderStatuses } from '@cellarhand/contract/order-statuses'
import { expect, test } from 'vitest'
import { lineOptionsOf } from './line-options.ts'
import type { Order } from '../state/queries.ts'

function orderIn(status: OrderStatus): Order {
  return {
    status,
    delivery: { method: 'shipped', date: null, window: null },
    courier_estimate_id: null,
    courier_info: null,
    rejection_message: null,
    items: [{ id: 'a', product: { id: 'p' } }],
  } as unknown as Order
}

const columnIn = (openedWith?: OrderStatus) =>
  orderStatuses.filter((status) => lineOptionsOf(orderIn(status), openedWith ?? status).isShown)

test('VIEW-028 the Options column shows in six statuses, and works only in the first', () => {
  expect(columnIn().toSorted()).toEqual(
    ['SUBMITTED', 'MERCHANT_REJECTED', 'PAYMENT_DECLINED', 'CANCELLED', 'DISPUTED', 'REFUNDED'].toSorted(),
  )
  const acting = orderStatuses.filter((status) => lineOptionsOf(orderIn(status), status).isEnabled)
  expect(acting).toEqual(['SUBMITTED'])
})

test('GAP-97 an order that was new when it was opened keeps its options while its lines are reported', () => {
  expect(lineOptionsOf(orderIn('REJECTED_PARTIAL'), 'SUBMITTED')).toEqual({ isShown: true, isEnabled: true })
  expect(lineOptionsOf(orderIn('REJECTED_PARTIAL'), 'REJECTED_PARTIAL').isShown).toBe(false)
  expect(lineOptionsOf(orderIn('MERCHANT_ACCEPTED'), 'SUBMITTED').isShown).toBe(false)
})
