import { labelErrors } from '@cellarhand/contract/label-errors'
import type { Database } from '#platform/db/database.ts'
import { Refused } from '#platform/http/refuse.ts'
import { lockOrder, writeChange, type MerchantStep } from '#orders/public.ts'

/** Whether the carrier, or a rule of every carrier, refused: the order itself would have allowed it. */
export function isLabelRefusal(refused: Refused): boolean {
  return refused.code === 'label_refused' || Object.hasOwn(labelErrors, refused.code)
}

/** The order's history keeps why no label was bought: the next clerk need not find out by trying. */
export async function noteLabelFailure(
  { db }: { db: Database },
  step: Pick<MerchantStep, 'merchantId' | 'orderId' | 'actor'>,
  error: unknown,
): Promise<void> {
  if (!(error instanceof Refused) || !isLabelRefusal(error)) return
  await db.write(step.merchantId, async (statements) =>
    writeChange(statements, step.merchantId, {
      locked: await lockOrder(statements, step),
      change: {
        action: 'label_failed',
        actor: step.actor,
        details: { code: error.code, reason: error.message },
      },
    }),
  )
}
