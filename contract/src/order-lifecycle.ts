/** The statuses an order is ever stored or sent with (STATE-001). */
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

/** The fifth, shipped-style method has no name in the specification; unknown methods count as it (GAP-91). */
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

export type Party = 'merchant' | 'marketplace' | 'courier' | 'carrier'

export type OrderAction =
  | 'accept'
  | 'reject'
  | 'report_items'
  | 'reject_partly'
  | 'resume'
  | 'submit_payment'
  | 'approve_payment'
  | 'decline_payment'
  | 'buy_labels'
  | 'save_tracking'
  | 'send_out'
  | 'request_courier'
  | 'refresh_courier'
  | 'courier_pick_up'
  | 'courier_fail'
  | 'deliver'
  | 'courier_deliver'
  | 'cancel_courier'
  | 'bring_back'
  | 'courier_bring_back'
  | 'carrier_deliver'
  | 'cancel'
  | 'dispute'
  | 'settle_dispute'
  | 'refund'
  | 'void_labels'
  | 'correct_tracking'

/** A condition beside the status; each is decided by `guardHolds`. */
export type Guard =
  | 'carrier_order'
  | 'local_order'
  | 'presale_ready'
  | 'courier_estimated'
  | 'no_live_courier'
  | 'courier_requested'
  | 'live_courier'
  | 'courier_has_it'
  | 'not_some_items_reported'
  | 'some_items_reported'

export interface Transition {
  readonly id: string
  readonly action: OrderAction
  readonly by: Party
  readonly from: readonly OrderStatus[]
  /** Undefined: the order changes, its status does not. */
  readonly to?: OrderStatus
  /** Back to the status that the order was handed over from, which its history knows. */
  readonly isBack?: true
  readonly guards: readonly Guard[]
}

const readyToShip = ['MERCHANT_ACCEPTED', 'PAYMENT_SUBMITTED', 'PAYMENT_APPROVED'] as const
const beforeClosed = [
  'SUBMITTED',
  ...readyToShip,
  'PAYMENT_DECLINED',
  'REJECTED_PARTIAL',
  'MERCHANT_SHIPPED',
] as const

/**
 * An order's whole life after its creation (T01). The server enforces this table, the dashboard draws its
 * buttons from it, the tests walk it. Ids are those of the state machine in docs/requirements.md.
 */
export const transitions: readonly Transition[] = [
  { id: 'T03', action: 'accept', by: 'merchant', from: ['SUBMITTED'], to: 'MERCHANT_ACCEPTED', guards: [] },
  {
    id: 'T05',
    action: 'reject',
    by: 'merchant',
    from: ['SUBMITTED', ...readyToShip, 'PAYMENT_DECLINED', 'REJECTED_PARTIAL'],
    to: 'MERCHANT_REJECTED',
    guards: ['not_some_items_reported'],
  },
  {
    id: 'T06',
    action: 'report_items',
    by: 'merchant',
    from: ['SUBMITTED', 'REJECTED_PARTIAL'],
    to: 'REJECTED_PARTIAL',
    guards: [],
  },
  {
    id: 'T09',
    action: 'reject_partly',
    by: 'merchant',
    from: ['SUBMITTED', 'REJECTED_PARTIAL'],
    to: 'REJECTED_PARTIAL',
    guards: ['some_items_reported'],
  },
  { id: 'T10', action: 'resume', by: 'marketplace', from: ['REJECTED_PARTIAL'], to: 'SUBMITTED', guards: [] },
  {
    id: 'T11',
    action: 'submit_payment',
    by: 'marketplace',
    from: ['MERCHANT_ACCEPTED'],
    to: 'PAYMENT_SUBMITTED',
    guards: [],
  },
  {
    id: 'T12',
    action: 'approve_payment',
    by: 'marketplace',
    from: ['MERCHANT_ACCEPTED', 'PAYMENT_SUBMITTED', 'PAYMENT_DECLINED'],
    to: 'PAYMENT_APPROVED',
    guards: [],
  },
  {
    id: 'T13',
    action: 'decline_payment',
    by: 'marketplace',
    from: ['MERCHANT_ACCEPTED', 'PAYMENT_SUBMITTED'],
    to: 'PAYMENT_DECLINED',
    guards: [],
  },
  {
    id: 'T14',
    action: 'buy_labels',
    by: 'merchant',
    from: readyToShip,
    to: 'MERCHANT_SHIPPED',
    guards: ['carrier_order', 'presale_ready'],
  },
  {
    id: 'T15',
    action: 'save_tracking',
    by: 'merchant',
    from: readyToShip,
    to: 'MERCHANT_SHIPPED',
    guards: ['carrier_order', 'presale_ready'],
  },
  {
    id: 'T16',
    action: 'send_out',
    by: 'merchant',
    from: readyToShip,
    to: 'MERCHANT_SHIPPED',
    guards: ['local_order'],
  },
  {
    id: 'T17',
    action: 'request_courier',
    by: 'merchant',
    from: readyToShip,
    guards: ['local_order', 'courier_estimated', 'no_live_courier'],
  },
  {
    id: 'T18',
    action: 'refresh_courier',
    by: 'merchant',
    from: ['MERCHANT_ACCEPTED'],
    guards: ['courier_requested'],
  },
  {
    id: 'T19',
    action: 'courier_pick_up',
    by: 'courier',
    from: readyToShip,
    to: 'MERCHANT_SHIPPED',
    guards: ['courier_requested'],
  },
  { id: 'T20', action: 'courier_fail', by: 'courier', from: readyToShip, guards: ['courier_requested'] },
  {
    id: 'T21',
    action: 'deliver',
    by: 'merchant',
    from: ['MERCHANT_SHIPPED'],
    to: 'CLOSED',
    guards: ['local_order'],
  },
  {
    id: 'T22',
    action: 'courier_deliver',
    by: 'courier',
    from: ['MERCHANT_SHIPPED'],
    to: 'CLOSED',
    guards: ['courier_requested'],
  },
  {
    id: 'T23',
    action: 'carrier_deliver',
    by: 'carrier',
    from: ['MERCHANT_SHIPPED'],
    to: 'CLOSED',
    guards: ['carrier_order'],
  },
  { id: 'T24', action: 'cancel', by: 'marketplace', from: beforeClosed, to: 'CANCELLED', guards: [] },
  {
    id: 'T25',
    action: 'dispute',
    by: 'marketplace',
    from: ['MERCHANT_SHIPPED', 'CLOSED'],
    to: 'DISPUTED',
    guards: [],
  },
  { id: 'T26', action: 'settle_dispute', by: 'marketplace', from: ['DISPUTED'], to: 'CLOSED', guards: [] },
  {
    id: 'T27',
    action: 'refund',
    by: 'marketplace',
    from: ['CLOSED', 'DISPUTED', 'CANCELLED', 'MERCHANT_REJECTED'],
    to: 'REFUNDED',
    guards: [],
  },
  {
    id: 'T28',
    action: 'cancel_courier',
    by: 'merchant',
    from: readyToShip,
    guards: ['local_order', 'live_courier'],
  },
  {
    id: 'T29',
    action: 'bring_back',
    by: 'merchant',
    from: ['MERCHANT_SHIPPED'],
    isBack: true,
    guards: ['local_order'],
  },
  {
    id: 'T30',
    action: 'courier_bring_back',
    by: 'courier',
    from: ['MERCHANT_SHIPPED'],
    isBack: true,
    guards: ['courier_has_it'],
  },
  {
    id: 'T31',
    action: 'void_labels',
    by: 'merchant',
    from: ['MERCHANT_SHIPPED'],
    isBack: true,
    guards: ['carrier_order'],
  },
  {
    id: 'T32',
    action: 'correct_tracking',
    by: 'merchant',
    from: ['MERCHANT_SHIPPED'],
    guards: ['carrier_order'],
  },
]

/** What the guards look at: a part of the order as it goes over the wire. */
export interface OrderFacts {
  readonly status: OrderStatus
  readonly delivery: { readonly method: string }
  readonly courier_estimate_id: string | null
  readonly courier_info: { readonly order_status: string } | null
  readonly rejection_message: string | null
  readonly items: readonly {
    readonly id: string
    readonly parent_line_item_id?: string | null
    readonly product?: { readonly id: string } | null
    readonly aux_data?: { readonly preorder_available_date?: string | null } | null
  }[]
}

const presaleLeadDays = 10
const dayMs = 86_400_000

/** The latest of the items' dates counts, and exactly 10 days is allowed (VIEW-016, GAP-110). */
export function isPresaleReady(order: OrderFacts, nowMs: number): boolean {
  const readyAtMs = presaleReadyAt(order.items)
  return readyAtMs === null || readyAtMs <= nowMs
}

/** From when on a presale may be shipped; null when none of the lines has to be waited for. */
export function presaleReadyAt(items: OrderFacts['items']): number | null {
  const dates = items.flatMap(({ aux_data: aux }) => aux?.preorder_available_date || [])
  if (dates.length === 0) return null
  return Math.max(...dates.map((date) => Date.parse(date))) - presaleLeadDays * dayMs
}

export function hasLiveCourier(order: OrderFacts): boolean {
  return (
    order.courier_info !== null &&
    !['ORDER_FAILED', 'ORDER_CANCELLED', 'ORDER_DELIVERED'].includes(order.courier_info.order_status)
  )
}

/** The key that `rejection_message` uses for a line: its product's id, or its own without a product (GAP-62). */
export function rejectionKey(item: OrderFacts['items'][number]): string {
  return item.product?.id ?? item.id
}

/** How many of the order's own lines (engravings belong to theirs) are reported out of stock or wrongly priced. */
export function reportedItems(order: OrderFacts): 'none' | 'some' | 'all' {
  if (order.rejection_message === null) return 'none'
  const reasons = JSON.parse(order.rejection_message) as Record<string, Record<string, unknown> | undefined>
  const reported = new Set([
    ...Object.keys(reasons['outOfStock'] ?? {}),
    ...Object.keys(reasons['wrongPrice'] ?? {}),
  ])
  const lines = order.items.filter((item) => !item.parent_line_item_id)
  const count = lines.filter((item) => reported.has(rejectionKey(item))).length
  if (count === 0) return 'none'
  return count === lines.length ? 'all' : 'some'
}

export function guardHolds(guard: Guard, order: OrderFacts, nowMs: number): boolean {
  switch (guard) {
    case 'carrier_order':
      return !isLocal(order.delivery.method)
    case 'local_order':
      return isLocal(order.delivery.method)
    case 'presale_ready':
      return isPresaleReady(order, nowMs)
    case 'courier_estimated':
      return order.courier_estimate_id !== null
    case 'no_live_courier':
      return !hasLiveCourier(order)
    case 'courier_requested':
      return order.courier_info !== null
    case 'live_courier':
      return hasLiveCourier(order)
    case 'courier_has_it':
      return order.courier_info?.order_status === 'ORDER_PICKED_UP'
    case 'not_some_items_reported':
      return reportedItems(order) !== 'some'
    case 'some_items_reported':
      return reportedItems(order) === 'some'
  }
}

/** What a party may do with the order now: the source of every button and of every server check. */
export function allowedTransitions(order: OrderFacts, by: Party, nowMs: number): Transition[] {
  return transitions.filter(
    (transition) =>
      transition.by === by &&
      transition.from.includes(order.status) &&
      transition.guards.every((guard) => guardHolds(guard, order, nowMs)),
  )
}

export function findTransition(action: OrderAction): Transition {
  const found = transitions.find((transition) => transition.action === action)
  if (!found) throw new Error(`No transition for ${action}`)
  return found
}
