import * as lines from '@cellarhand/contract/merchants'
import type { Database } from '#platform/db/database.ts'
import { createCommands } from '#platform/http/command.ts'
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

export function serveMerchants(http: Http, { db, services }: MerchantsDeps): void {
  const { serve } = http
  const { command } = createCommands(http, { db })
  for (const line of [lines.getMerchant, lines.getMerchantLegacy])
    serve(line, async ({ caller: { merchantId } }) =>
      db.view(merchantId, (statements) => getMerchant(statements, merchantId)),
    )
  command(lines.updateMerchant, (statements, { caller, body }) => saveStoreDetails(statements, caller, body))
  command(lines.updateMerchantContacts, (statements, { merchantId, body }) =>
    saveContacts(statements, merchantId, body),
  )
  serve(lines.getHours, async ({ caller }) => getHours(db, caller.merchantId))
  command(lines.updateHours, (statements, { merchantId, body }) => saveHours(statements, merchantId, body))
  serve(lines.listOutsideServices, ({ caller }) => tellOutsideServices(db, services, caller.merchantId))
  serve(lines.getPaymentAccount, async ({ caller }) => ({
    merchant_account_id: await getPaymentAccountId(db, caller.merchantId),
  }))
}
