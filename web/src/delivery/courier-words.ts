/** Each courier state in words for the clerk at the counter (GAP-136). */
const words: Readonly<Record<string, string>> = {
  ORDER_REQUESTED: 'Requested, looking for a courier',
  ORDER_ASSIGNED: 'On the way to the store',
  ORDER_PICKED_UP: 'Picked up, on the way to the door',
  ORDER_DELIVERED: 'Delivered',
  ORDER_FAILED: 'Failed: a courier can be requested again',
  ORDER_CANCELLED: 'Cancelled: a courier can be requested again',
}

export function courierWords(orderStatus: string): string {
  return words[orderStatus] ?? orderStatus
}

export const courierRoad = [
  'ORDER_REQUESTED',
  'ORDER_ASSIGNED',
  'ORDER_PICKED_UP',
  'ORDER_DELIVERED',
] as const
export const courierRoadLabels = ['Requested', 'Assigned', 'Picked up', 'Delivered'] as const
