import * as lines from '@cellarhand/contract/merchants'
import type { Database } from '#platform/db/database.ts'
import type { Http } from '#platform/http/server.ts'
import { saveContacts } from './commands/save-contacts.ts'
import { saveHours } from './commands/save-hours.ts'
import { saveStoreDetails } from './commands/save-store-details.ts'
import { tellOutsideServices, type ServiceInUse } from './outside-services.ts'
import { getHours, getMerchant, getPaymentAccountId } from './reads.ts'

interface MerchantsDeps {
  readonly db: Database
  readonly services: readonly ServiceInUse[]
}

export function serveMerchants({ serve }: Http, { db, services }: MerchantsDeps): void {
  serve(lines.getMerchant, async ({ caller }) => getMerchant(db, caller.merchantId))
  serve(lines.getMerchantLegacy, async ({ caller }) => getMerchant(db, caller.merchantId))
  serve(lines.updateMerchant, async ({ caller, body }) => saveStoreDetails(db, caller.merchantId, body))
  serve(lines.updateMerchantContacts, async ({ caller, body }) => saveContacts(db, caller.merchantId, body))
  serve(lines.getHours, async ({ caller }) => getHours(db, caller.merchantId))
  serve(lines.updateHours, async ({ caller, body }) => saveHours(db, caller.merchantId, body))
  serve(lines.listOutsideServices, ({ caller }) => tellOutsideServices(db, services, caller.merchantId))
  serve(lines.getPaymentAccount, async ({ caller }) => ({
    merchant_account_id: await getPaymentAccountId(db, caller.merchantId),
  }))
}
