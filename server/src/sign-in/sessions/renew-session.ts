import { refuse } from '#platform/http/refuse.ts'
import type { Person } from '#platform/http/caller.ts'
import { toUser, userColumns, type UserRow } from '../users/user-record.ts'
import { sessionHours, type SignInDeps } from './start-session.ts'

/** Keeps the same session, so that a second tab with the older token works until that token expires. */
export async function renewSession({ db, tokens }: SignInDeps, caller: Person) {
  const expiresAtMs = Date.now() + sessionHours * 3_600_000
  const rows = await db.system(async ({ query }) => {
    const [renewed, users] = await Promise.all([
      query(
        'update sessions set expires_at = $2, last_seen_at = now() where session_id = $1 and ended_at is null and expires_at > now() returning 1',
        [caller.sessionId, new Date(expiresAtMs)],
      ),
      query<UserRow>(`select ${userColumns} from users where user_id = $1`, [caller.userId]),
    ])
    return renewed.length === 1 ? users : []
  })
  const [row] = rows
  if (row === undefined) return refuse('unauthorized')
  const token = await tokens.issue({ userId: row.user_id, sessionId: caller.sessionId, expiresAtMs })
  return { token, user: toUser(row) }
}
