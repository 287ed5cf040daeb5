import * as lines from '@cellarhand/contract/views'
import type { Database } from '#platform/db/database.ts'
import { createCommands } from '#platform/http/command.ts'
import type { Http } from '#platform/http/server.ts'
import { removeView } from './commands/remove-view.ts'
import { renameView } from './commands/rename-view.ts'
import { saveView } from './commands/save-view.ts'
import { listViews } from './reads.ts'

export function serveViews(http: Http, db: Database): void {
  http.serve(lines.listViews, ({ caller }) =>
    db.read(caller.merchantId, (statements) => listViews(statements, caller)),
  )
  const { command } = createCommands(http, { db })
  command(lines.saveView, async (statements, { caller, body }) => {
    await saveView(statements, caller, body)
    return listViews(statements, caller)
  })
  command(lines.changeView, async (statements, { caller, params, body }) => {
    await renameView(statements, caller, { view: params.view, name: body.name })
    return listViews(statements, caller)
  })
  command(lines.removeView, async (statements, { caller, params }) => {
    await removeView(statements, caller, params.view)
    return listViews(statements, caller)
  })
}
