import type { Database, Statements } from '#platform/db/database.ts'
import type { Person } from '#platform/http/caller.ts'
import { refuse } from '#platform/http/refuse.ts'
import { lockOwnAccount } from './locked-user.ts'

/**
 * From the next request on, the server refuses every token of the user, including those of mailed or handed-over links.
 * The transaction has locked the user. Returns the number of ended sessions.
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
 * Ends all sessions but the caller's, if that one still lives. Unused links of the marketplace end too, because a
 * holder of one could sign in afterwards. Returns the number of ended sessions.
 */
export async function endOtherSessions(statements: Statements, caller: Person): Promise<number> {
  await lockOwnAccount(statements, caller)
  const ended = await statements.query<{ lived: boolean }>(
    'update sessions set ended_at = now() where user_id = $1 and session_id <> $2 and ended_at is null returning expires_at > now() as lived',
    [caller.userId, caller.sessionId],
  )
  await statements.query(
    `delete from one_time_tokens where user_id = $1 and purpose = 'hand_over' and used_at is null`,
    [caller.userId],
  )
  return ended.filter(({ lived }) => lived).length
}

/** Signs the caller out. */
export async function endThisSession(db: Database, { sessionId }: Person): Promise<void> {
  await db.systemQuery('update sessions set ended_at = now() where session_id = $1', [sessionId])
}

/** Ends one of the caller's own sessions, if the caller's own still lives. */
export async function endOwnSession(
  statements: Statements,
  caller: Person,
  sessionId: string,
): Promise<Record<string, never>> {
  await lockOwnAccount(statements, caller)
  const ended = await statements.query(
    'update sessions set ended_at = now() where session_id = $1 and user_id = $2 and ended_at is null and expires_at > now() returning 1',
    [sessionId, caller.userId],
  )
  return ended.length === 0 ? refuse('not_found') : {}
}

/** A mailed link must not work once the account has another address, or another person has the address. */
export async function endMailedLinks({ query }: Pick<Statements, 'query'>, userId: string): Promise<void> {
  await query('delete from one_time_tokens where user_id = $1 and used_at is null', [userId])
}
