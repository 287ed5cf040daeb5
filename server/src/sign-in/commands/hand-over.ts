import type { Database } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import { issueOneTimeToken, useOneTimeToken } from '../one-time-tokens.ts'
import { emailKey } from '../user-record.ts'
import { openSession } from './start-session.ts'

const handOverSeconds = 60

/** A link for the marketplace to send its signed-in merchant along with; good once, and for a minute (GAP-38). */
export async function createHandOver(
  db: Database,
  { user, merchant, publicUrl }: { user: string; merchant: string; publicUrl: string },
): Promise<string> {
  return db.system(async (statements) => {
    const [row] = await statements.query<{ user_id: string }>(
      'select user_id from users where (user_id = $1 or email_key = $2) and merchant_id = $3',
      [user, emailKey(user), merchant],
    )
    if (row === undefined) return refuse('not_found')
    const token = await issueOneTimeToken(statements, {
      purpose: 'hand_over',
      userId: row.user_id,
      seconds: handOverSeconds,
    })
    return `${publicUrl}/?${new URLSearchParams({ jwt: token, tmk: merchant }).toString()}`
  })
}

/** Turns the link's token into a session of its own; the token is spent by it, also when two come at once. */
export async function takeHandOver(
  db: Database,
  { token, userAgent }: { token: string; userAgent: string | undefined },
): Promise<{ userId: string; sessionId: string } | undefined> {
  return db.system(async (statements) => {
    const userId = await useOneTimeToken(statements, 'hand_over', token)
    if (userId === undefined) return undefined
    const { sessionId } = await openSession(statements, { userId, userAgent })
    return { userId, sessionId }
  })
}
