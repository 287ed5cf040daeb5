/** Every status that an order can be stored or sent with (STATE-001). */
export const orderStatuses = [
  'SUBMITTED',
  'MERCHANT_ACCEPTED',
  'PAYMENT_SUBMITTED',
  'PAYMENT_APPROVED',
  'PAYMENT_DECLINED',
  'MERCHANT_SHIPPED',
  'CLOSED',
  'REJECTED_PARTIAL',
  'MERCHANT_REJECTED',
  'CANCELLED',
  'DISPUTED',
  'REFUNDED',
] as const
export type OrderStatus = (typeof orderStatuses)[number]

export const tabs = ['active', 'on_hold', 'cancelled', 'completed'] as const
export type Tab = (typeof tabs)[number]

export const displayGroups = ['new', 'printed', 'accepted', 'shipped', 'completed', 'rejected'] as const
export type DisplayGroup = (typeof displayGroups)[number]

/** The specification does not name the fifth, shipped-style method. Unknown methods count as it (GAP-91). */
export const deliveryMethods = ['on_demand', 'scheduled', 'preorder', 'deposit', 'shipped'] as const
export type DeliveryMethod = (typeof deliveryMethods)[number]

/** Whether the shop delivers it itself (or by courier) instead of handing it to a parcel carrier. */
export function isLocal(method: string): boolean {
  return method === 'on_demand' || method === 'scheduled'
}

const placement: Record<OrderStatus, { tab: Tab; group: DisplayGroup }> = {
  SUBMITTED: { tab: 'active', group: 'new' },
  MERCHANT_ACCEPTED: { tab: 'active', group: 'accepted' },
  PAYMENT_SUBMITTED: { tab: 'active', group: 'accepted' },
  PAYMENT_APPROVED: { tab: 'active', group: 'accepted' },
  PAYMENT_DECLINED: { tab: 'on_hold', group: 'rejected' },
  MERCHANT_SHIPPED: { tab: 'completed', group: 'shipped' },
  CLOSED: { tab: 'completed', group: 'completed' },
  REJECTED_PARTIAL: { tab: 'on_hold', group: 'rejected' },
  MERCHANT_REJECTED: { tab: 'cancelled', group: 'rejected' },
  CANCELLED: { tab: 'cancelled', group: 'rejected' },
  DISPUTED: { tab: 'on_hold', group: 'completed' },
  REFUNDED: { tab: 'cancelled', group: 'rejected' },
}

/** A local order stays in active until its delivery is confirmed (GAP-106). */
export function tabOf(status: OrderStatus, method: string): Tab {
  return status === 'MERCHANT_SHIPPED' && isLocal(method) ? 'active' : placement[status].tab
}

export function displayGroupOf(status: OrderStatus, printedTimestamp: string | null): DisplayGroup {
  return status === 'SUBMITTED' && printedTimestamp !== null ? 'printed' : placement[status].group
}

/** MERCHANT_REJECTED has an old name that is still accepted on input (GAP-104). */
export function statusFromWire(status: string): OrderStatus | undefined {
  if (status === 'REJECTED_MERCHANT') return 'MERCHANT_REJECTED'
  return orderStatuses.find((known) => known === status)
}

/** CLOSED to MERCHANT_REJECTED: only the marketplace may move on from these. */
export function isFinishedForMerchant(status: OrderStatus): boolean {
  return ['CLOSED', 'MERCHANT_REJECTED', 'CANCELLED', 'DISPUTED', 'REFUNDED'].includes(status)
}
