import type { Statements } from '#platform/db/database.ts'
import type { Person } from '#platform/http/caller.ts'
import { refuse } from '#platform/http/refuse.ts'
import { lockOwnAccount } from './locked-user.ts'

/**
 * Every token of the user is refused from the next request on, also those of links that were mailed or handed over.
 * The transaction has locked the user. Answers how many sessions ended.
 */
export async function endSessionsOf({ query }: Statements, userId: string): Promise<number> {
  const [ended] = await Promise.all([
    query('update sessions set ended_at = now() where user_id = $1 and ended_at is null returning 1', [
      userId,
    ]),
    endMailedLinks({ query }, userId),
  ])
  return ended.length
}

/**
 * All but the one that asks, as long as it lives itself. Links of the marketplace that nobody has followed yet end as
 * well: whoever was handed one would be signed in behind this. Answers how many sessions ended.
 */
export async function endOtherSessions(statements: Statements, caller: Person): Promise<number> {
  await lockOwnAccount(statements, caller)
  const ended = await statements.query(
    'update sessions set ended_at = now() where user_id = $1 and session_id <> $2 and ended_at is null and expires_at > now() returning 1',
    [caller.userId, caller.sessionId],
  )
  await statements.query(
    `delete from one_time_tokens where user_id = $1 and purpose = 'hand_over' and used_at is null`,
    [caller.userId],
  )
  return ended.length
}

/** One of the caller's own, if the caller's still lives. */
export async function endOwnSession(
  statements: Statements,
  caller: Person,
  sessionId: string,
): Promise<void> {
  await lockOwnAccount(statements, caller)
  const ended = await statements.query(
    'update sessions set ended_at = now() where session_id = $1 and user_id = $2 and ended_at is null and expires_at > now() returning 1',
    [sessionId, caller.userId],
  )
  if (ended.length === 0) refuse('not_found')
}

/** A link that was mailed to an address is worth nothing once the account has another one, or is somebody else's. */
export async function endMailedLinks({ query }: Statements, userId: string): Promise<void> {
  await query('delete from one_time_tokens where user_id = $1 and used_at is null', [userId])
}
