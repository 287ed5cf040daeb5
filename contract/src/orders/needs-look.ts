import { tabOf, type OrderStatus } from './order-statuses.ts'

interface Looked {
  readonly status: OrderStatus
  readonly delivery: { readonly method: string }
  readonly duties?: { readonly block: readonly unknown[]; readonly missing?: readonly unknown[] }
}

/** Something stands against an open order, or its hand-over lacks what a rule asks for. */
export function needsLook({ status, delivery, duties }: Looked): boolean {
  const tab = tabOf(status, delivery.method)
  const isOpen = tab === 'active' || tab === 'on_hold'
  return Boolean((isOpen && duties?.block.length) || duties?.missing?.length)
}
