import { isWhollyBack } from '@cellarhand/contract/came-back'
import type { Statements } from '#platform/db/database.ts'
import { refuse, refuseInvalid } from '#platform/http/refuse.ts'
import {
  moveOrder,
  requireAllowedCarrier,
  trackingPatch,
  type MerchantStep,
  type StoredOrder,
} from '#orders/public.ts'
import { findLivePurchase, listLabelsOf } from '../labels/label-purchases.ts'

type Typed = Parameters<typeof trackingPatch>[0]

/** After one of these, the same number means something else: a correction, or a parcel that leaves again. */
const alsoAfter = ['came_back', 'not_back', 'correct_tracking']

/**
 * Corrects a mistyped tracking number. The number of a bought label cannot be wrong, but a parcel that came back with it
 * may be sent again with another one: its bottles are away again, and its 14 days on the road (T23) begin anew.
 */
export async function correctTracking(
  statements: Statements,
  step: MerchantStep,
  typed: Typed,
): Promise<string> {
  return moveOrder(statements, { ...step, action: 'correct_tracking', alsoAfter }, async (order) => {
    const patch = trackingPatch(typed)
    const { came_back: back } = order
    const isSentAgain = back !== undefined
    refuseInvalid({
      tracking_id:
        isSentAgain && hasNumber(order, patch.tracking_id ?? null)
          ? 'It came back with this number. If it left with it again, press Undo.'
          : undefined,
    })
    if (await isOfLabels(statements, step, { order, isSentAgain })) refuse('tracking_from_labels')
    await requireAllowedCarrier(statements, step.merchantId, { order, patch })
    return {
      patch: { ...patch, shipment_info: [...(patch.shipment_info ?? []), ...parcelsBeside(order)] },
      isSentAgain,
      details: {
        carrier: patch.shipment_info?.[0]?.carrier,
        tracking_code: patch.tracking_id,
        was: order.tracking_id,
        ...(back && { sent_again: `${back.bottles} of ${back.of} bottles` }),
      },
    }
  })
}

/** The parcels that stay on their way: a correction is of the first, and one that came back leaves the others. */
function parcelsBeside(order: StoredOrder): StoredOrder['shipment_info'] {
  if (order.came_back === undefined) return order.shipment_info.slice(1)
  return isWhollyBack(order) ? [] : order.shipment_info
}

/** Labels that are being bought or voided decide the number themselves. */
async function isOfLabels(
  statements: Statements,
  step: MerchantStep,
  { order, isSentAgain }: { order: StoredOrder; isSentAgain: boolean },
): Promise<boolean> {
  const purchase = await findLivePurchase(statements, step)
  if (purchase?.state !== 'bought') return purchase !== undefined
  if (isSentAgain) return false
  const labels = await listLabelsOf(statements, purchase)
  return labels.some(({ trackingCode }) => trackingCode === order.tracking_id)
}

function hasNumber({ shipment_info: parcels }: StoredOrder, code: string | null): boolean {
  return parcels.some(({ tracking_code }) => tracking_code.toUpperCase() === code?.toUpperCase())
}
