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

test('VIEW-028 T08 the Options column shows in seven statuses, and acts while lines can be reported', () => {
  const shown = orderStatuses.filter((status) => lineOptionsOf(orderIn(status)).isShown)
  expect(shown.toSorted()).toEqual(
    [
      'SUBMITTED',
      'REJECTED_PARTIAL',
      'MERCHANT_REJECTED',
      'PAYMENT_DECLINED',
      'CANCELLED',
      'DISPUTED',
      'REFUNDED',
    ].toSorted(),
  )
  const acting = orderStatuses.filter((status) => lineOptionsOf(orderIn(status)).isEnabled)
  expect(acting.toSorted()).toEqual(['REJECTED_PARTIAL', 'SUBMITTED'])
})
