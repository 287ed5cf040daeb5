import {
  getHours as getHoursCall,
  getMerchant as getMerchantCall,
  getMerchantLegacy,
  getPaymentAccount,
  listOutsideServices,
  updateHours,
  updateMerchant,
  updateMerchantContacts,
} from '@cellarhand/contract/merchants'
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
  serve(getMerchantCall, async ({ caller }) => getMerchant(db, caller.merchantId))
  serve(getMerchantLegacy, async ({ caller }) => getMerchant(db, caller.merchantId))
  serve(updateMerchant, async ({ caller, body }) => saveStoreDetails(db, caller.merchantId, body))
  serve(updateMerchantContacts, async ({ caller, body }) => saveContacts(db, caller.merchantId, body))
  serve(getHoursCall, async ({ caller }) => getHours(db, caller.merchantId))
  serve(updateHours, async ({ caller, body }) => saveHours(db, caller.merchantId, body))
  serve(listOutsideServices, ({ caller }) => tellOutsideServices(db, services, caller.merchantId))
  serve(getPaymentAccount, async ({ caller }) => ({
    merchant_account_id: await getPaymentAccountId(db, caller.merchantId),
  }))
}
