import type { courierRoad, CourierState } from '@cellarhand/contract/courier-states'

/** Each courier state in words for the clerk at the counter (GAP-136). */
const words: Readonly<Record<CourierState, string>> = {
  ORDER_REQUESTED: 'Requested, looking for a courier',
  ORDER_ASSIGNED: 'On the way to the store',
  ORDER_PICKED_UP: 'Picked up, on the way to the door',
  ORDER_DELIVERED: 'Delivered',
  ORDER_FAILED: 'Failed: a courier can be requested again',
  ORDER_CANCELLED: 'Cancelled: a courier can be requested again',
}

export function courierWords(orderStatus: string): string {
  return Object.hasOwn(words, orderStatus) ? words[orderStatus as CourierState] : orderStatus
}

export const courierRoadLabels: Readonly<Record<(typeof courierRoad)[number], string>> = {
  ORDER_REQUESTED: 'Requested',
  ORDER_ASSIGNED: 'Assigned',
  ORDER_PICKED_UP: 'Picked up',
  ORDER_DELIVERED: 'Delivered',
}
