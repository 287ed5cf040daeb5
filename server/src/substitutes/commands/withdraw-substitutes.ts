import { lockOrder, reportComment, standing, type MerchantStep } from '#orders/public.ts'
import { readRejection } from '@cellarhand/contract/rejection-message'
import type { Statements } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import { closeRow, ended, lockOpenOffer, writeOffer } from '../change-offers.ts'

/** Takes the question back. After the customer's answer it is too late. */
export async function withdrawSubstitutes(
  statements: Statements,
  { actor, ...key }: MerchantStep,
  offerId: string,
): Promise<string> {
  const open = await lockOpenOffer(statements, { ...key, offerId })
  if (open === undefined) {
    const locked = await lockOrder(statements, key)
    return refuse('substitutes_answered', { body: standing(locked, null, statements.clock.nowMs()) })
  }
  const { locked, offer } = open
  const outcome = { state: 'withdrawn', choice: null } as const
  await closeRow(statements, { ...key, offerId }, outcome)
  return writeOffer(statements, key.merchantId, {
    locked,
    offer: ended(statements, offer, outcome),
    action: 'withdraw_substitutes',
    actor,
    comment: reportComment(readRejection(locked.order.rejection_message), locked.order),
  })
}
