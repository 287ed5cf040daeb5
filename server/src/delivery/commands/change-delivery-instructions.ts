import { isFinishedForMerchant } from '@cellarhand/contract/order-statuses'
import type { Statements } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import { lockOrder, writeChange, type MerchantStep } from '#orders/public.ts'

export async function changeDeliveryInstructions(
  statements: Statements,
  { actor, ...key }: MerchantStep,
  text: string,
): Promise<string> {
  const locked = await lockOrder(statements, key)
  const { order } = locked
  if (isFinishedForMerchant(order.status)) return refuse('order_finished')
  const delivery_instructions = text.trim() === '' ? null : text.trim()
  return writeChange(statements, key.merchantId, {
    locked,
    change: {
      action: 'edit_delivery_instructions',
      actor,
      patch: { recipient: { ...order.recipient, delivery_instructions } },
    },
  })
}
