import type { Statements } from '#platform/db/database.ts'
import {
  handOverPatch,
  lockOrder,
  requireSeen,
  requireTransition,
  writeChange,
  type MerchantStep,
  type TypedDetails,
} from '#orders/public.ts'

/** Stores the details without closing the order; may be repeated (GAP-134). */
export async function saveDelivery(
  statements: Statements,
  { actor, ...key }: MerchantStep,
  { version, ...details }: TypedDetails & { readonly version?: number },
) {
  const locked = await lockOrder(statements, key)
  await requireSeen(statements, key, { locked, seenVersion: version })
  await requireTransition(statements, key.merchantId, {
    locked,
    action: 'deliver',
    handedOverOn: details.delivered_on,
  })
  const { order, timezone } = locked
  const patch = handOverPatch(details, order, { actor, nowMs: statements.clock.nowMs(), timezone })
  if (
    JSON.stringify(patch.delivery_info) !== JSON.stringify(order.delivery_info) ||
    JSON.stringify(patch.age_check ?? order.age_check) !== JSON.stringify(order.age_check)
  ) {
    await writeChange(statements, key.merchantId, {
      locked,
      change: { action: 'save_delivery_details', actor, patch },
    })
  }
  return patch.delivery_info
}
