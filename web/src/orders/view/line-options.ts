import type { OrderStatus } from '@cellarhand/contract/order-statuses'
import { allowedActions } from '../order/next-step.ts'
import type { Order } from '../state/queries.ts'

const shownIn: readonly OrderStatus[] = [
  'SUBMITTED',
  'MERCHANT_REJECTED',
  'PAYMENT_DECLINED',
  'CANCELLED',
  'DISPUTED',
  'REFUNDED',
]

export interface LineOptions {
  isShown: boolean
  isEnabled: boolean
}

/**
 * The Options column (VIEW-028). An order that was new when the clerk opened it keeps its options after the first
 * report put it on hold, so that the clerk can report more lines (GAP-97).
 */
export function lineOptionsOf(order: Order, openedWith: OrderStatus): LineOptions {
  const isSameSitting = order.status === 'REJECTED_PARTIAL' && openedWith === 'SUBMITTED'
  return {
    isShown: shownIn.includes(order.status) || isSameSitting,
    isEnabled: (order.status === 'SUBMITTED' || isSameSitting) && allowedActions(order).has('report_items'),
  }
}

export const noOptions: LineOptions = { isShown: false, isEnabled: false }
