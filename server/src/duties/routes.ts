import * as lines from '@cellarhand/contract/duties'
import type { Database } from '#platform/db/database.ts'
import { createCommands } from '#platform/http/command.ts'
import type { Http } from '#platform/http/server.ts'
import { decideDuty } from './commands/decide-duty.ts'
import { saveClosing } from './commands/save-closing.ts'
import { getShopDuties } from './reads.ts'

interface DutiesDeps {
  readonly db: Database
  /** Called after a decision, so that the open orders are asked again at once. */
  readonly onDecision: () => void
}

export function serveDuties(http: Http, { db, onDecision }: DutiesDeps): void {
  http.serve(lines.getShopDuties, async ({ caller: { merchantId } }) =>
    db.view(merchantId, (statements) => getShopDuties(statements, merchantId)),
  )
  const { command } = createCommands(http, { db, onChange: onDecision })
  command(lines.decideDuty, async (statements, { caller, merchantId, params, body }) => {
    await decideDuty(statements, { ...caller, rule: params.rule }, body)
    return getShopDuties(statements, merchantId)
  })
  command(lines.saveClosing, async (statements, { caller, body }) => {
    await saveClosing(statements, caller, body)
    return getShopDuties(statements, caller.merchantId)
  })
}
