import type { Statements } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import { moveOrder, requireAllowedCarrier, trackingPatch, type MerchantStep } from '#orders/public.ts'
import { findLivePurchase } from '../labels/label-purchases.ts'

type Typed = Parameters<typeof trackingPatch>[0]

/** Corrects a mistyped tracking number. The number of a bought label cannot be wrong. */
export async function correctTracking(
  statements: Statements,
  step: MerchantStep,
  typed: Typed,
): Promise<string> {
  if ((await findLivePurchase(statements, step)) !== undefined) refuse('tracking_from_labels')
  return moveOrder(statements, { ...step, action: 'correct_tracking' }, async (order) => {
    const patch = trackingPatch(typed)
    await requireAllowedCarrier(statements, step.merchantId, { order, patch })
    return {
      patch,
      details: {
        carrier: patch.shipment_info?.[0]?.carrier,
        tracking_code: patch.tracking_id,
        was: order.tracking_id,
      },
    }
  })
}
