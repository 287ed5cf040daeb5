import type { OrderStatus } from '@cellarhand/contract/order-statuses'
import { allowedActions } from '../state/allowed-actions.ts'
import type { Order } from '../state/queries.ts'

const shownIn: readonly OrderStatus[] = [
  'SUBMITTED',
  'REJECTED_PARTIAL',
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

/** The Options column (VIEW-028). Further lines of a partly rejected order can still be reported (T08). */
export function lineOptionsOf(order: Order): LineOptions {
  return {
    isShown: shownIn.includes(order.status),
    isEnabled: allowedActions(order).has('report_items'),
  }
}

export const noOptions: LineOptions = { isShown: false, isEnabled: false }
