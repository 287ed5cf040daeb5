import * as lines from '@cellarhand/contract/watch'
import type { Database } from '#platform/db/database.ts'
import { createCommands } from '#platform/http/command.ts'
import type { Http } from '#platform/http/server.ts'
import { reportScreen } from './commands/report-screen.ts'
import { saveWatch } from './commands/save-watch.ts'
import { getWatch, renewWithinMs } from './reads.ts'

export function serveWatch(http: Http, db: Database): void {
  http.serve(lines.getWatch, ({ caller: { merchantId } }) =>
    db.read(merchantId, (statements) => getWatch(statements, merchantId)),
  )
  const { command } = createCommands(http, { db })
  command(lines.updateWatch, (statements, { merchantId, body }) => saveWatch(statements, merchantId, body))
  command(lines.reportScreen, async (statements, { caller, body }) => {
    await reportScreen(statements, caller, body)
    return { renew_within_ms: renewWithinMs }
  })
}
