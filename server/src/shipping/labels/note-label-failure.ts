import { isAboutAddress, labelErrors } from '@cellarhand/contract/label-errors'
import type { Database, Statements } from '#platform/db/database.ts'
import { Refused } from '#platform/http/refuse.ts'
import { lockOrder, writeChange, type LockedOrder, type MerchantStep } from '#orders/public.ts'
import { addressOf, addressText } from './begin-purchase.ts'
import type { Purchase } from './label-purchases.ts'

/** Whether the carrier, or a rule about carriers, refused: the order itself would have allowed it. */
export function isLabelRefusal(refused: Refused): boolean {
  return (
    ['label_refused', 'service_forbidden'].includes(refused.code) || Object.hasOwn(labelErrors, refused.code)
  )
}

/**
 * The order's history keeps why no label was bought: the next clerk need not find out by trying. A note that cannot be
 * written now (another clerk holds the order) must not take the carrier's answer from the clerk who waits for it.
 */
export async function noteLabelFailure(
  { db, onError }: { db: Database; onError: (error: unknown) => void },
  step: Pick<MerchantStep, 'merchantId' | 'orderId' | 'actor'> & Partial<Pick<Purchase, 'sentTo'>>,
  error: unknown,
): Promise<void> {
  if (!(error instanceof Refused) || !isLabelRefusal(error)) return
  await db
    .write(step.merchantId, async (statements) => {
      const locked = await lockOrder(statements, step)
      // What a carrier said of an earlier address says nothing of the one that was corrected meanwhile.
      const isElsewhere =
        Boolean(step.sentTo) && step.sentTo !== addressText(addressOf(locked.order.recipient))
      if (isElsewhere && isAboutAddress(error.code)) return
      await writeLabelFailure(statements, step, { locked, refusal: error })
    })
    .catch(onError)
}

export async function writeLabelFailure(
  statements: Statements,
  { merchantId, actor }: Pick<MerchantStep, 'merchantId' | 'actor'>,
  { locked, refusal: { code, message } }: { locked: LockedOrder; refusal: Pick<Refused, 'code' | 'message'> },
): Promise<void> {
  await writeChange(statements, merchantId, {
    locked,
    change: { action: 'label_failed', actor, details: { code, reason: message } },
  })
}
