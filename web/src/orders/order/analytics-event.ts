import { isLocal } from '@cellarhand/contract/order-statuses'
import type { Order } from '@cellarhand/contract/orders'

const names: Record<string, string> = {
  MERCHANT_ACCEPTED: 'Accept Order',
  MERCHANT_REJECTED: 'Reject Order',
  REJECTED_PARTIAL: 'Report Items',
  CLOSED: 'Mark Delivered',
}

/** The analytics name of the order's last step; it does not name the order. */
export function eventOf({ status, delivery }: Pick<Order, 'status' | 'delivery'>): string {
  if (status === 'MERCHANT_SHIPPED')
    return isLocal(delivery.method) ? 'On Demand - Out for Delivery' : 'Save Tracking'
  return names[status] ?? 'Change Order'
}
