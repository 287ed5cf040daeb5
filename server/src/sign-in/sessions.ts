import type { Statements } from '#platform/db/database.ts'
import type { Person } from '#platform/http/caller.ts'
import { lockUser } from './locked-user.ts'

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

/** All but the one that asks. Answers how many ended. */
export async function endOtherSessions(statements: Statements, caller: Person): Promise<number> {
  await lockUser(statements, caller.userId)
  const ended = await statements.query(
    'update sessions set ended_at = now() where user_id = $1 and session_id <> $2 and ended_at is null and expires_at > now() returning 1',
    [caller.userId, caller.sessionId],
  )
  return ended.length
}

/** A link that was mailed to an address is worth nothing once the account has another one, or is somebody else's. */
export async function endMailedLinks({ query }: Statements, userId: string): Promise<void> {
  await query('delete from one_time_tokens where user_id = $1 and used_at is null', [userId])
}
