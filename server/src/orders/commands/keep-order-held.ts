import { isFinishedForMerchant } from '@cellarhand/contract/order-statuses'
import type { Statements } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import { withoutQuestion } from '../document/order-duties.ts'
import type { MerchantStep } from '../document/merchant-step.ts'
import { lockOrder } from '../document/lock-order.ts'
import { requireSeen, writeChange } from '../document/move-order.ts'

/** An owner's no to a clerk's question. The reason is for the clerk, and stays in the history. */
export async function keepOrderHeld(
  statements: Statements,
  { actor, seenVersion, ...key }: MerchantStep,
  { rule, reason }: { rule: string; reason: string },
): Promise<string> {
  const locked = await lockOrder(statements, key)
  await requireSeen(statements, key, {
    locked,
    seenVersion,
    alsoAfter: ['correct_address', 'pass_duty', 'keep_held'],
  })
  const { order } = locked
  if (isFinishedForMerchant(order.status)) refuse('order_finished')
  if (!order.duties?.asked?.includes(rule))
    return refuse('validation_failed', { errors: { rule: 'Nobody waits for an answer about this rule' } })
  const duties = withoutQuestion(order.duties, rule)
  return writeChange(statements, key.merchantId, {
    locked,
    change: {
      action: 'keep_held',
      actor,
      patch: { duties: { ...duties, kept_held: [...(duties.kept_held ?? []), rule] } },
      details: { rule, reason: reason.trim() },
    },
  })
}
