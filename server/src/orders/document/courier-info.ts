import { hasLiveCourier } from '@cellarhand/contract/order-guards'
import type { StoredOrder } from './stored-order.ts'

/** The courier record of an order that ends; a request under way ends with it. */
export function cancelledCourier(order: StoredOrder): StoredOrder['courier_info'] {
  return order.courier_info !== null && hasLiveCourier(order)
    ? { ...order.courier_info, order_status: 'ORDER_CANCELLED' }
    : order.courier_info
}
