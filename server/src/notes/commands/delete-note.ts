import type { Statements } from '#platform/db/database.ts'
import type { Staff } from '#platform/http/caller.ts'
import { refuse } from '#platform/http/refuse.ts'
import { mayDeleteAll, type Subject } from '../reads.ts'
import { countChange } from './count-change.ts'

/** Nothing of the note stays. A note that is gone already is no failure: that is the state which the clerk asked for. */
export async function deleteNote(
  statements: Statements,
  { merchantId, orderId }: Subject,
  { caller, note }: { caller: Staff; note: string },
): Promise<void> {
  await countChange(statements, merchantId)
  const key = [merchantId, orderId, note]
  const [row] = await statements.query<{ author_id: string }>(
    'select author_id from notes where merchant_id = $1 and order_id = $2 and note_id = $3',
    key,
  )
  if (row === undefined) return
  if (row.author_id !== caller.userId && !mayDeleteAll(caller)) refuse('note_of_another')
  await statements.query('delete from notes where merchant_id = $1 and order_id = $2 and note_id = $3', key)
}
