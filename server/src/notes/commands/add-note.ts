import { randomUUID } from 'node:crypto'
import { notesAtMost } from '@cellarhand/contract/notes'
import type { Statements } from '#platform/db/database.ts'
import type { Staff } from '#platform/http/caller.ts'
import { refuse } from '#platform/http/refuse.ts'
import { requireSubject, type Subject } from '../reads.ts'
import { countChange } from './count-change.ts'

/** Adds a note, up to the number that a screen shows. */
export async function addNote(
  statements: Statements,
  { merchantId, orderId }: Subject,
  { caller, text }: { caller: Pick<Staff, 'userId' | 'name'>; text: string },
): Promise<void> {
  await requireSubject(statements, { merchantId, orderId })
  await countChange(statements, merchantId)
  const [there] = await statements.query<{ n: number }>(
    'select count(*)::int as n from notes where merchant_id = $1 and order_id = $2',
    [merchantId, orderId],
  )
  if ((there?.n ?? 0) >= notesAtMost) refuse('too_many_notes')
  await statements.query(
    'insert into notes (merchant_id, order_id, note_id, author_id, author, words) values ($1, $2, $3, $4, $5, $6)',
    [merchantId, orderId, randomUUID(), caller.userId, caller.name, text.trim()],
  )
}
