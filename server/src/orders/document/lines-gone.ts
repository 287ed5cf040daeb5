import { outOfStockLabels } from '@cellarhand/contract/decisions'
import { rejectionKey } from '@cellarhand/contract/order-guards'
import { ownLines } from '@cellarhand/contract/order-lines'
import { readRejection, type RejectionMessage } from '@cellarhand/contract/rejection-message'
import { takeOfferingsDown } from '#inventory/public.ts'
import type { Statements } from '#platform/db/database.ts'
import type { MerchantStep } from './merchant-step.ts'
import type { StoredOrder } from './stored-order.ts'

/**
 * The lines of which a clerk has now found fewer than were ordered, and of which no more can be had. The pieces that are
 * there leave with the order, so the shelf is empty after a part too.
 */
function linesGone(order: StoredOrder, message: RejectionMessage) {
  const [before, after] = [readRejection(order.rejection_message)['outOfStock'], message['outOfStock']]
  return ownLines(order).flatMap(({ item }) => {
    const [was, is] = [before?.[rejectionKey(item)], after?.[rejectionKey(item)]]
    const isNew = was?.reason !== is?.reason || was?.missing !== is?.missing
    const isGone = is?.reason === outOfStockLabels.not_available
    return isNew && isGone ? [item] : []
  })
}

interface Report {
  readonly order: StoredOrder
  readonly message: RejectionMessage
}

/** A bottle of which the shelf has no more is not active in the inventory, until the next stock list that has it. */
export async function takeLinesDown(
  statements: Statements,
  { merchantId, orderId, actor }: MerchantStep,
  { order, message }: Report,
): Promise<void> {
  const offerings = linesGone(order, message).flatMap(({ offering }) => offering ?? [])
  await takeOfferingsDown(statements, merchantId, { offerings, by: actor.name, orderId })
}
