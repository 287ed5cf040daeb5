import type { Statements } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'

/** Stores the account that the payment provider opened for a merchant. The first one stays; returns the stored one. */
export async function keepPaymentAccount(
  { query }: Statements,
  { merchantId, accountId }: { merchantId: string; accountId: string },
): Promise<string> {
  const [kept] = await query<{ merchant_account_id: string }>(
    `update merchants set merchant_account_id = coalesce(merchant_account_id, $2) where merchant_id = $1
     returning merchant_account_id`,
    [merchantId, accountId],
  )
  return kept?.merchant_account_id ?? refuse('not_found')
}

/**
 * The provider's status decides whether the marketplace's orders get through (GAP-152). Of two readings, the one that
 * began later wins, in whichever sequence they are written.
 */
export async function recordPaymentStatus(
  { query }: Statements,
  { accountId, status, readAt }: { accountId: string; status: string; readAt: Date },
): Promise<void> {
  await query('select require_open(merchant_id) from merchants where merchant_account_id = $1', [accountId])
  await query(
    `update merchants set payment_status = $2, payment_read_at = $3, payment_set_up = ($2 = 'active')
     where merchant_account_id = $1 and (payment_read_at is null or payment_read_at <= $3)`,
    [accountId, status, readAt],
  )
}
