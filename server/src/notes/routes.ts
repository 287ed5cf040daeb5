import * as lines from '@cellarhand/contract/notes'
import type { Database } from '#platform/db/database.ts'
import type { Staff } from '#platform/http/caller.ts'
import { createCommands } from '#platform/http/command.ts'
import type { Http } from '#platform/http/server.ts'
import { addNote } from './commands/add-note.ts'
import { deleteNote } from './commands/delete-note.ts'
import { listNewestNotes, listNotes, subjectOf } from './reads.ts'

interface NotesDeps {
  readonly db: Database
  /** Called after each change, so that the merchant's screens ask again. */
  readonly onChange: (merchantId: string) => void
}

export function serveNotes(http: Http, { db, onChange }: NotesDeps): void {
  const list = (caller: Staff, orderId?: string) =>
    db.view(caller.merchantId, (statements) =>
      listNotes(statements, subjectOf(caller.merchantId, orderId), caller),
    )
  http.serve(lines.listOrderNotes, ({ caller, params }) => list(caller, params.id))
  http.serve(lines.listNewestNotes, async ({ caller, query }) => {
    const ids = query.orders.split(',')
    const orders = await db.view(caller.merchantId, (statements) =>
      listNewestNotes(statements, caller.merchantId, ids),
    )
    return { orders }
  })
  http.serve(lines.listShiftNotes, ({ caller }) => list(caller))

  const { command } = createCommands(http, { db, onChange })
  command(lines.addOrderNote, async (statements, { caller, merchantId, params, body }) => {
    const subject = subjectOf(merchantId, params.id)
    await addNote(statements, subject, { caller, text: body.text })
    return listNotes(statements, subject, caller)
  })
  command(lines.addShiftNote, async (statements, { caller, merchantId, body }) => {
    const subject = subjectOf(merchantId)
    await addNote(statements, subject, { caller, text: body.text })
    return listNotes(statements, subject, caller)
  })
  command(lines.deleteOrderNote, async (statements, { caller, merchantId, params }) => {
    const subject = subjectOf(merchantId, params.id)
    await deleteNote(statements, subject, { caller, note: params.note })
    return listNotes(statements, subject, caller)
  })
  command(lines.deleteShiftNote, async (statements, { caller, merchantId, params }) => {
    const subject = subjectOf(merchantId)
    await deleteNote(statements, subject, { caller, note: params.note })
    return listNotes(statements, subject, caller)
  })
}
