import { expect, test } from 'vitest'
import { needsLook } from './needs-look.ts'
import { orderStatuses } from './order-statuses.ts'

const statusesThatNeedLook = (method: string, duties: { block: unknown[]; missing?: unknown[] }) =>
  orderStatuses.filter((status) => needsLook({ status, delivery: { method }, duties }))

test('an order needs a look while a step of the shop can be stopped, and not while the marketplace settles a dispute', () => {
  const open = [
    'SUBMITTED',
    'MERCHANT_ACCEPTED',
    'PAYMENT_SUBMITTED',
    'PAYMENT_APPROVED',
    'PAYMENT_DECLINED',
    'REJECTED_PARTIAL',
  ]
  expect(statusesThatNeedLook('shipped', { block: ['x'] }).toSorted()).toEqual(open.toSorted())
  expect(statusesThatNeedLook('on_demand', { block: ['x'] }).toSorted()).toEqual(
    [...open, 'MERCHANT_SHIPPED'].toSorted(),
  )
})

test('what a hand-over lacks needs a look wherever the order is', () => {
  expect(statusesThatNeedLook('on_demand', { block: [], missing: ['x'] })).toEqual([...orderStatuses])
  expect(statusesThatNeedLook('on_demand', { block: [], missing: [] })).toEqual([])
})
