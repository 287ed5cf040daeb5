import type { Database } from '#platform/db/database.ts'
import type { Person } from '#platform/http/caller.ts'
import type { Tokens } from './tokens.ts'

interface PersonRow {
  readonly user_id: string
  readonly merchant_id: string | null
  readonly roles: readonly string[]
  readonly name: string
}

/** One look at the session's row per request: an ended session is refused at the very next one. */
export async function findPerson(db: Database, tokens: Tokens, token: string): Promise<Person | undefined> {
  const claims = await tokens.verify(token)
  if (claims === undefined) return undefined
  const [row] = await db.systemQuery<PersonRow>(
    `select u.user_id, u.merchant_id, u.roles, u.first_name || ' ' || u.last_name as name
     from sessions s join users u using (user_id)
     where s.session_id = $1 and s.user_id = $2 and s.ended_at is null and s.expires_at > now()`,
    [claims.sessionId, claims.userId],
  )
  if (row === undefined) return undefined
  return {
    userId: row.user_id,
    sessionId: claims.sessionId,
    merchantId: row.merchant_id,
    roles: row.roles,
    name: row.name,
  }
}

/** Which of these sessions have ended, for streams that stay open after their first look. */
export async function findEndedSessions(db: Database, sessionIds: readonly string[]): Promise<string[]> {
  const rows = await db.systemQuery<{ session_id: string }>(
    `select wanted.session_id from unnest($1::text[]) as wanted (session_id)
     left join sessions s on s.session_id = wanted.session_id and s.ended_at is null and s.expires_at > now()
     where s.session_id is null`,
    [sessionIds],
  )
  return rows.map((row) => row.session_id)
}
