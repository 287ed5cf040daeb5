/** The words of deciding on an order and of its history; lists do not need them. */
import type { OrderAction } from './order-lifecycle.ts'
import type { OrderStatus } from './order-statuses.ts'

/** A single status, for places where the display group would say too little. */
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

/** Past-tense words for the order's history and for a clerk whose decision came second. */
export const actionLabels: Record<
  | OrderAction
  | 'submit'
  | 'print_packing_slip'
  | 'edit_delivery_instructions'
  | 'save_delivery_details'
  | 'carrier_move'
  | 'carrier_fail'
  | 'courier_move'
  | 'courier_proof'
  | 'miss_proof'
  | 'label_failed'
  | 'check_duties'
  | 'pass_duty'
  | 'ask_owner'
  | 'keep_held'
  | 'take'
  | 'let_go'
  | 'offer_substitutes'
  | 'choose_substitute'
  | 'decline_substitutes'
  | 'miss_substitutes_answer'
  | 'withdraw_substitutes'
  | 'fail_substitutes_message'
  | 'pick'
  | 'take_off_sale'
  | 'came_back'
  | 'not_back',
  string
> = {
  submit: 'Order received',
  print_packing_slip: 'Packing slip printed',
  edit_delivery_instructions: 'Delivery instructions changed',
  save_delivery_details: 'Delivery details saved',
  carrier_move: 'In transit with the carrier',
  carrier_fail: 'Delivery attempt failed',
  courier_move: 'Courier on the way',
  courier_proof: 'Proof of delivery kept',
  miss_proof: 'Proof of delivery missing',
  label_failed: 'Shipping label not bought',
  check_duties: 'Rules checked again',
  pass_duty: 'Let pass by an owner',
  ask_owner: 'Owner asked',
  keep_held: 'Kept held by an owner',
  take: 'Taken',
  let_go: 'Let go',
  offer_substitutes: 'Substitutes offered',
  choose_substitute: 'Substitute chosen by the customer',
  decline_substitutes: 'Substitutes declined by the customer',
  miss_substitutes_answer: 'No answer about substitutes',
  withdraw_substitutes: 'Substitutes withdrawn',
  fail_substitutes_message: 'Customer not reached about substitutes',
  pick: 'Picked',
  take_off_sale: 'Bottle taken off sale',
  came_back: 'Came back',
  not_back: 'Not back after all',
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
  correct_address: 'Address corrected',
}
