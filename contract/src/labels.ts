import type { DisplayGroup, OrderAction, OrderStatus, Tab } from './order-lifecycle.ts'

export const tabLabels: Record<Tab, string> = {
  active: 'Active',
  on_hold: 'On hold',
  cancelled: 'Cancelled',
  completed: 'Completed',
}

/** The address of a tab (GAP-77: the route says on-hold, the wire on_hold). */
export const tabRoutes: Record<Tab, string> = {
  active: 'active',
  on_hold: 'on-hold',
  cancelled: 'cancelled',
  completed: 'completed',
}

export const displayGroupLabels: Record<DisplayGroup, string> = {
  new: 'New',
  printed: 'Printed',
  accepted: 'Accepted',
  shipped: 'Shipped',
  completed: 'Completed',
  rejected: 'Rejected',
}

/** A status by itself, where the display group would say too little. */
export const statusLabels: Record<OrderStatus, string> = {
  SUBMITTED: 'New',
  MERCHANT_ACCEPTED: 'Accepted',
  PAYMENT_SUBMITTED: 'Accepted, payment sent',
  PAYMENT_APPROVED: 'Accepted, payment approved',
  PAYMENT_DECLINED: 'On hold, payment declined',
  MERCHANT_SHIPPED: 'Shipped',
  CLOSED: 'Completed',
  REJECTED_PARTIAL: 'On hold, partly rejected',
  MERCHANT_REJECTED: 'Rejected',
  CANCELLED: 'Cancelled',
  DISPUTED: 'On hold, payment disputed',
  REFUNDED: 'Refunded',
}

/** What the method column says (GAP-93); a courier estimate turns the local methods into "with Courier". */
export function methodLabel(method: string, courierEstimateId: string | null): string {
  const withCourier = courierEstimateId === null ? '' : ' with Courier'
  if (method === 'on_demand') return `On Demand${withCourier}`
  if (method === 'scheduled') return `Scheduled${withCourier}`
  if (method === 'preorder' || method === 'deposit') return 'Pre-sale'
  return 'Shipping'
}

/** What a filter calls a method; unlike the column it has to tell all of them apart. */
export function methodFilterLabel(method: string): string {
  if (method === 'deposit') return 'Pre-sale with deposit'
  if (method !== 'shipped' && methodLabel(method, null) === 'Shipping')
    return `Shipping (${method.replaceAll('_', ' ')})`
  return methodLabel(method, null)
}

/** Roles without a label are shown by their name (GAP-165). */
export function roleLabel(role: string): string {
  const labels: Record<string, string> = {
    'merch.manager': 'Manager',
    'merch.owner': 'Owner',
    'merch.user': 'Member',
  }
  return Object.hasOwn(labels, role) ? (labels[role] ?? role) : role
}

export const rejectReasonCodes = [
  'customer_cancelled',
  'courier_issue',
  'bad_weather',
  'store_closed',
  'other',
] as const
export type RejectReasonCode = (typeof rejectReasonCodes)[number]
export const rejectReasonLabels: Record<RejectReasonCode, string> = {
  customer_cancelled: 'Customer cancelled',
  courier_issue: 'Courier issue',
  bad_weather: 'Bad weather',
  store_closed: 'Store closed',
  other: 'Other',
}

export const outOfStockReasons = ['available_soon', 'not_available'] as const
export type OutOfStockReason = (typeof outOfStockReasons)[number]
export const outOfStockLabels: Record<OutOfStockReason, string> = {
  available_soon: 'Available soon from the distributor (will be obtained and shipped within 4 days)',
  not_available: 'Not available (item will be removed from the order)',
}

export const itemRejectionCodes = ['outOfStock', 'wrongPrice', 'orderRejected', 'other'] as const

export const carriers = ['FedEx', 'UPS', 'GSO', 'OTHER'] as const
export type Carrier = (typeof carriers)[number]

/** What was looked at when the recipient's age was checked; never its number, never a birth date. */
export const ageCheckMethods = ['driver_license', 'state_id', 'passport', 'military_id', 'other_id'] as const
export type AgeCheckMethod = (typeof ageCheckMethods)[number]
export const ageCheckMethodLabels: Record<AgeCheckMethod, string> = {
  driver_license: "Driver's license",
  state_id: 'State ID',
  passport: 'Passport',
  military_id: 'Military ID',
  other_id: 'Other ID',
}

/** Why an order was not handed over at the door. */
export const refusedHandOverReasons = ['under_21', 'no_valid_id', 'nobody_there', 'intoxicated'] as const
export type RefusedHandOverReason = (typeof refusedHandOverReasons)[number]
export const refusedHandOverLabels: Record<RefusedHandOverReason, string> = {
  under_21: 'Under 21',
  no_valid_id: 'No valid ID',
  nobody_there: 'Nobody there',
  intoxicated: 'Intoxicated',
}

/** What happened, for the order's history and for a clerk who came second. */
export const actionLabels: Record<
  | OrderAction
  | 'submit'
  | 'print_packing_slip'
  | 'edit_delivery_instructions'
  | 'save_delivery_details'
  | 'carrier_move'
  | 'carrier_fail'
  | 'courier_move',
  string
> = {
  submit: 'Order received',
  print_packing_slip: 'Packing slip printed',
  edit_delivery_instructions: 'Delivery instructions changed',
  save_delivery_details: 'Delivery details saved',
  carrier_move: 'In transit with the carrier',
  carrier_fail: 'Delivery attempt failed',
  courier_move: 'Courier on the way',
  accept: 'Accepted',
  reject: 'Rejected',
  report_items: 'Items reported',
  reject_partly: 'Partly rejected',
  resume: 'Resumed with corrected items',
  submit_payment: 'Payment sent',
  approve_payment: 'Payment approved',
  decline_payment: 'Payment declined',
  buy_labels: 'Shipping labels bought',
  save_tracking: 'Tracking saved',
  send_out: 'Out for delivery',
  request_courier: 'Courier requested',
  refresh_courier: 'Courier checked',
  courier_pick_up: 'Picked up by the courier',
  courier_fail: 'Courier failed',
  deliver: 'Delivered',
  courier_deliver: 'Delivered by the courier',
  carrier_deliver: 'Delivered by the carrier',
  cancel_courier: 'Courier cancelled',
  bring_back: 'Brought back',
  courier_bring_back: 'Brought back by the courier',
  cancel: 'Cancelled',
  dispute: 'Payment disputed',
  settle_dispute: 'Dispute settled',
  refund: 'Refunded',
  void_labels: 'Shipping labels voided',
  correct_tracking: 'Tracking corrected',
}
