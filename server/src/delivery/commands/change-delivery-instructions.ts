import { isFinishedForMerchant } from '@cellarhand/contract/order-statuses'
import type { Statements } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import { lockOrder, requireSeen, writeChange, type MerchantStep } from '#orders/public.ts'

const action = 'edit_delivery_instructions'

/** Refuses a text that was written on an older one: a colleague's gate code would be lost. */
export async function changeDeliveryInstructions(
  statements: Statements,
  { actor, seenVersion, ...key }: MerchantStep,
  text: string,
): Promise<string> {
  const locked = await lockOrder(statements, key)
  await requireSeen(statements, key, { locked, seenVersion, onlyAfter: [action] })
  const { order } = locked
  if (isFinishedForMerchant(order.status)) return refuse('order_finished')
  const delivery_instructions = text.trim() === '' ? null : text.trim()
  return writeChange(statements, key.merchantId, {
    locked,
    change: {
      action,
      actor,
      patch: { recipient: { ...order.recipient, delivery_instructions } },
    },
  })
}
