import type { Statements } from '#platform/db/database.ts'
import {
  deliveryInfoOf,
  lockOrder,
  requireTransition,
  writeChange,
  type MerchantStep,
} from '#orders/public.ts'

interface Details {
  readonly signed_by?: string | null
  readonly delivered_by?: string | null
  readonly delivered_on?: string | null
}

/** Keeps the details without closing the order; doing it again is harmless (GAP-134). */
export async function saveDelivery(
  statements: Statements,
  { actor, ...key }: MerchantStep,
  details: Details,
) {
  const locked = await lockOrder(statements, key)
  await requireTransition(statements, key.merchantId, { locked, action: 'deliver' })
  const delivery_info = deliveryInfoOf(details, locked.order)
  if (JSON.stringify(delivery_info) !== JSON.stringify(locked.order.delivery_info)) {
    await writeChange(statements, key.merchantId, {
      locked,
      change: { action: 'save_delivery_details', actor, patch: { delivery_info } },
    })
  }
  return delivery_info
}
