import { rejectReasonLabels, type RejectReasonCode } from '@cellarhand/contract/decisions'
import { owesRestocking, restockingFee } from '@cellarhand/contract/door-checks'
import { rejectReasonProblem } from '@cellarhand/contract/validation'
import type { Statements } from '#platform/db/database.ts'
import { refuseInvalid } from '#platform/http/refuse.ts'
import { cancelledCourier } from '../document/courier-info.ts'
import { mergeReport, parseReport, rejectAllLines } from '../document/rejection-message.ts'
import { lockOrder } from '../document/lock-order.ts'
import { requireSeen, requireTransition, writeChange } from '../document/move-order.ts'
import { withShortage } from '../document/shortage.ts'
import { takeLinesDown } from '../document/lines-gone.ts'
import type { MerchantStep } from '../document/merchant-step.ts'

export interface Rejection {
  readonly status?: string
  readonly version?: number
  readonly reason: { readonly code: RejectReasonCode; readonly value?: string | null }
  readonly rejection_message?: string | null
}

/** Rejects an order with a reason: as a whole, or in part if only some of its lines are reported. */
export async function rejectOrder(
  statements: Statements,
  { actor, ...key }: MerchantStep,
  rejection: Rejection,
): Promise<string> {
  const { code, value } = rejection.reason
  const text = value?.trim() ?? ''
  refuseInvalid({ 'reason.value': rejectReasonProblem(code, text) })
  const comment = code === 'other' ? text : rejectReasonLabels[code]

  const locked = await lockOrder(statements, key)
  await requireSeen(statements, key, { locked, seenVersion: rejection.version })
  const { order } = locked
  const { message } = mergeReport(order, parseReport(rejection.rejection_message, order))
  const reported = {
    ...order,
    rejection_message: Object.keys(message).length === 0 ? null : JSON.stringify(message),
  }
  const isPartial = rejection.status === 'REJECTED_PARTIAL'
  const action = isPartial ? 'reject_partly' : 'reject'
  const transition = await requireTransition(statements, key.merchantId, {
    locked: { ...locked, order: reported },
    action,
  })
  await takeLinesDown(statements, { ...key, actor }, { order, message })
  const fee = !isPartial && owesRestocking(order) ? { restocking_fee: restockingFee } : {}
  return writeChange(statements, key.merchantId, {
    locked,
    change: {
      action,
      actor,
      transition,
      comment,
      details: { code, ...fee },
      patch: isPartial
        ? { rejection_message: reported.rejection_message, ...withShortage(reported) }
        : {
            ...fee,
            rejection_message: JSON.stringify(rejectAllLines(message, order, comment)),
            courier_info: cancelledCourier(order),
          },
    },
  })
}
