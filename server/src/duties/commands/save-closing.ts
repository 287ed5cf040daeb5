import { closings, type Closing } from '@cellarhand/contract/duties'
import type { Statements } from '#platform/db/database.ts'
import type { Staff } from '#platform/http/caller.ts'
import { refuseInvalid } from '#platform/http/refuse.ts'
import { getClosing } from '../reads.ts'

interface Choice {
  readonly closing: Closing
  readonly reason?: string | null
}

/**
 * An owner chooses what happens at a closing without the ID check that a rule asks for. Earlier choices stay on record,
 * so that nobody can allow such closings for an hour unseen.
 */
export async function saveClosing(
  statements: Statements,
  { merchantId, userId, name }: Pick<Staff, 'merchantId' | 'userId' | 'name'>,
  { closing, reason }: Choice,
): Promise<void> {
  const { query } = statements
  // Two owners at once: the second one is told from what the first has left.
  await query('select pg_advisory_xact_lock(hashtextextended($1, 92))', [merchantId])
  const was = await getClosing(statements, merchantId)
  if (closing === was) return
  const words = reason?.trim() || null
  const isMilder = closings.indexOf(closing) < closings.indexOf(was)
  refuseInvalid({ reason: isMilder && words === null ? 'Please give the reason' : undefined })
  await query(
    `insert into closing_decisions (merchant_id, decision_no, was, closing, reason, decided_by_id, decided_by)
     select $1, coalesce(max(decision_no), 0) + 1, $2, $3, $4, $5, $6
     from closing_decisions where merchant_id = $1`,
    [merchantId, was, closing, words, userId, name],
  )
}
