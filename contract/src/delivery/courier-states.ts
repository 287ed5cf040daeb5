/** The states of a courier that arrives, in their sequence. */
export const courierRoad = [
  'ORDER_REQUESTED',
  'ORDER_ASSIGNED',
  'ORDER_PICKED_UP',
  'ORDER_DELIVERED',
] as const

/** How far a courier is with an order (GAP-136). */
export const courierStates = [...courierRoad, 'ORDER_CANCELLED', 'ORDER_FAILED'] as const
export type CourierState = (typeof courierStates)[number]
