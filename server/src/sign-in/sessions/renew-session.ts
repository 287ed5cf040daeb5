import { refuse } from '#platform/http/refuse.ts'
import type { Person } from '#platform/http/caller.ts'
import { toUser, userColumns, type UserRow } from '../users/user-record.ts'
import { sessionHours, type SignInDeps } from './start-session.ts'

const longestDays = 30

/**
 * The same session lives on, so that a second tab with the older token keeps working until it ends. After thirty days
 * somebody signs in anew: a stolen token must not live for ever.
 */
export async function renewSession({ db, tokens }: SignInDeps, caller: Person) {
  const wanted = new Date(db.clock.nowMs() + sessionHours * 3_600_000)
  const { row, expiresAtMs } = await db.system(async ({ query }) => {
    const [renewed, users] = await Promise.all([
      query<{ expires_at: Date }>(
        `update sessions set expires_at = least($2, created_at + interval '${longestDays} days'), last_seen_at = now()
         where session_id = $1 and ended_at is null and expires_at > now() returning expires_at`,
        [caller.sessionId, wanted],
      ),
      query<UserRow>(`select ${userColumns} from users where user_id = $1`, [caller.userId]),
    ])
    return {
      row: renewed.length === 1 ? users[0] : undefined,
      expiresAtMs: renewed[0]?.expires_at.getTime() ?? 0,
    }
  })
  if (row === undefined) return refuse('unauthorized')
  const token = await tokens.issue({ userId: row.user_id, sessionId: caller.sessionId, expiresAtMs })
  return { token, user: toUser(row) }
}
