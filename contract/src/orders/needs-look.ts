import { isFinishedForMerchant, tabOf, type OrderStatus } from './order-statuses.ts'

interface Placed {
  readonly status: OrderStatus
  readonly delivery: { readonly method: string }
}

interface Looked extends Placed {
  readonly duties?: { readonly block: readonly unknown[]; readonly missing?: readonly unknown[] }
}

/** Whether a rule can still stop a step of the shop: not with a carrier, not over, and no dispute of the marketplace. */
export function isAskedAgain({ status, delivery }: Placed): boolean {
  return !isFinishedForMerchant(status) && tabOf(status, delivery.method) !== 'completed'
}

/** Something stands against an open order, or its hand-over lacks what a rule asks for. */
export function needsLook({ duties, ...order }: Looked): boolean {
  return Boolean((isAskedAgain(order) && duties?.block.length) || duties?.missing?.length)
}
