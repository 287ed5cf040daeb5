import { getPaymentAccount } from '@cellarhand/contract/billing'
import { getMerchant as getMerchantCall, getMerchantLegacy } from '@cellarhand/contract/merchants'
import type { Database } from '#platform/db/database.ts'
import type { Http } from '#platform/http/server.ts'
import { getMerchant, getPaymentAccountId } from './reads.ts'

export function serveMerchants({ serve }: Http, { db }: { db: Database }): void {
  serve(getMerchantCall, async ({ caller }) => getMerchant(db, caller.merchantId))
  serve(getMerchantLegacy, async ({ caller }) => getMerchant(db, caller.merchantId))
  serve(getPaymentAccount, async ({ caller }) => ({
    merchant_account_id: await getPaymentAccountId(db, caller.merchantId),
  }))
}
