export { checkFieldsPurpose, keepCheckFields } from './document/age-check-fields.ts'
export { changeByMarketplace } from './commands/change-by-marketplace.ts'
export { lockOrder, type LockedOrder, lockOrders, type OrderKey } from './document/lock-order.ts'
export {
  type LockedChange,
  moveOrder,
  requireSeen,
  requireTransition,
  standing,
  writeChange,
  writeChanges,
} from './document/move-order.ts'
export { amountProblems, itemProblems } from './document/order-lines.ts'
export { reportComment } from './document/rejection-message.ts'
export { rejectOrder } from './commands/reject-order.ts'
export { createDutyCheck } from './commands/check-duties.ts'
export { closeShippedOrders } from './commands/close-shipped-orders.ts'
export { createOrder } from './commands/create-order.ts'
export { reportCarrierEvent, reportCourierEvent } from './commands/report-progress.ts'
export { getCarrierTerms, uncheckedRules } from './document/order-duties.ts'
export { stepOf, type MerchantStep } from './document/merchant-step.ts'
export { handOverPatch, type TypedDetails } from './document/delivery-details.ts'
export { listOrdersOfMarketplace } from './list/orders-of-marketplace.ts'
export { findMerchantOfOrder, getOrderText } from './document/reads.ts'
export { submittedAt } from './document/submitted-at.ts'
export { requireAllowedCarrier, trackingPageOf, trackingPatch } from './document/tracking.ts'
export type { LiveState } from './live/state-looks.ts'
export { openingOf, type ShopHours } from './live/shop-hours.ts'
export type { StoredOrder } from './document/stored-order.ts'
export { actorOf, type Actor } from './document/write-order.ts'
export { ordersUpkeep } from './upkeep.ts'
