import { requireOpen } from '#platform/db/closed-merchant.ts'
import type { Statements } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'

/** Sets whether a merchant's payments are set up. Without that, the marketplace cannot send it orders. */
export async function setOnboarded(
  statements: Statements,
  { merchantKey, isOnboarded }: { merchantKey: string; isOnboarded: boolean },
): Promise<void> {
  await requireOpen(statements, merchantKey)
  const changed = await statements.query(
    `update merchants set payment_set_up = $2,
       merchant_account_id = case when $2 then coalesce(merchant_account_id, 'acct_' || merchant_id) else merchant_account_id end
     where merchant_id = $1 returning 1`,
    [merchantKey, isOnboarded],
  )
  if (changed.length === 0)
    refuse('not_found', { errors: { merchant: `There is no merchant "${merchantKey}"` } })
}
