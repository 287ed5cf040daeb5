import { allowedToMerchant } from '@cellarhand/contract/merchant-transitions'
import type { OrderAction } from '@cellarhand/contract/order-lifecycle'
import type { Order } from '@cellarhand/contract/orders'
import { shopToday } from '#lib/time/shop-day.ts'

/** What the shop may do with the order today. */
export function allowedActions(order: Order): ReadonlySet<OrderAction> {
  return new Set(allowedToMerchant(order, shopToday()).map(({ action }) => action))
}
