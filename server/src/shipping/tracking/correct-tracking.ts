import type { Statements } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import {
  moveOrder,
  requireAllowedCarrier,
  trackingPatch,
  type MerchantStep,
  type StoredOrder,
} from '#orders/public.ts'
import { findLivePurchase, listLabelsOf } from '../labels/label-purchases.ts'

type Typed = Parameters<typeof trackingPatch>[0]

/**
 * Corrects a mistyped tracking number. The number of a bought label cannot be wrong, but a parcel that came back with it
 * may be sent again with another one: its bottles are away again, and its 14 days on the road (T23) begin anew.
 */
export async function correctTracking(
  statements: Statements,
  step: MerchantStep,
  typed: Typed,
): Promise<string> {
  return moveOrder(statements, { ...step, action: 'correct_tracking' }, async (order) => {
    const patch = trackingPatch(typed)
    const isSentAgain = order.came_back !== undefined && patch.tracking_id !== order.tracking_id
    if (!isSentAgain && (await hasNumberOfLabel(statements, step, order))) refuse('tracking_from_labels')
    await requireAllowedCarrier(statements, step.merchantId, { order, patch })
    return {
      patch,
      isSentAgain,
      details: {
        carrier: patch.shipment_info?.[0]?.carrier,
        tracking_code: patch.tracking_id,
        was: order.tracking_id,
        ...(isSentAgain && { sent_again: 'its bottles are away again' }),
      },
    }
  })
}

async function hasNumberOfLabel(
  statements: Statements,
  step: MerchantStep,
  { shipment_info: parcels }: StoredOrder,
): Promise<boolean> {
  const purchase = await findLivePurchase(statements, step)
  if (purchase?.state !== 'bought') return purchase !== undefined
  const labels = await listLabelsOf(statements, purchase)
  return labels.some(({ trackingCode }) =>
    parcels.some(({ tracking_code }) => tracking_code === trackingCode),
  )
}
