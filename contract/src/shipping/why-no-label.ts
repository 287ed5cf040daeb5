import { isLocal } from '../orders/order-statuses.ts'

/** For a list of orders, in which nobody has changed anything meanwhile; undefined when the status is not why. */
export function whyNoLabel(order: { status: string; delivery: { method: string } }): string | undefined {
  if (isLocal(order.delivery.method)) return 'It is delivered locally, so it needs no label.'
  if (order.status === 'SUBMITTED') return 'It is not accepted yet.'
  if (order.status === 'MERCHANT_SHIPPED')
    return 'It is shipped already. Its labels are printed from the order.'
  return undefined
}
