import * as lines from '@cellarhand/contract/picks'
import type { Database } from '#platform/db/database.ts'
import { createCommands } from '#platform/http/command.ts'
import type { Http } from '#platform/http/server.ts'
import { stepOf } from '#orders/public.ts'
import { pickBottle } from './commands/pick-bottle.ts'
import { takeOffSale } from './commands/take-off-sale.ts'
import { listPicks } from './reads.ts'

interface PickDeps {
  readonly db: Database
  /** Called after a commit, so that its event reaches the screens at once. */
  readonly onChange: () => void
}

export function servePicks(http: Http, { db, onChange }: PickDeps): void {
  http.serve(lines.getPicks, ({ caller: { merchantId }, query }) =>
    db.view(merchantId, (statements) => listPicks(statements, merchantId, query.orders.split(','))),
  )
  const { command } = createCommands(http, { db, onChange })
  command(lines.pickBottle, (statements, call) =>
    pickBottle(statements, stepOf(call), { lineId: call.body.line_id, code: call.body.code ?? null }),
  )
  command(lines.takeOffSale, (statements, call) => takeOffSale(statements, stepOf(call), call.body.line_id))
}
