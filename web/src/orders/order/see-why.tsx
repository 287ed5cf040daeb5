import { needsLook } from '@cellarhand/contract/needs-look'
import { OrderLink } from './order-link.tsx'
import type { Order } from '@cellarhand/contract/orders'

/** In the place of the next step, for an order that a rule holds: the order view says why, and what can be done. */
export function SeeWhy({ order, className }: { order: Order; className: string | undefined }) {
  return (
    needsLook(order) && (
      <OrderLink id={order.id} className={className} label={`See why #${order.id}`}>
        See why
      </OrderLink>
    )
  )
}
