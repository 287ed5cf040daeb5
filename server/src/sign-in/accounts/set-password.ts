import { firstProblem, required } from '@cellarhand/contract/validation'
import type { Database } from '#platform/db/database.ts'
import { refuse, refuseInvalid } from '#platform/http/refuse.ts'
import { forgetFailures } from '../limits/sign-in-limits.ts'
import { newPassword } from '../users/common-passwords.ts'
import { endSessionsOf } from '../users/end-sessions.ts'
import { hashPassword } from '../users/passwords.ts'
import { emailKey } from '../users/user-record.ts'

/** Gives a user another password, and ends every session, every mailed link, and what wrong tries have closed. */
export async function setPassword(
  db: Database,
  { email, password }: { email: string; password: string },
): Promise<{ endedSessions: number }> {
  refuseInvalid({ password: firstProblem(password, [required('password'), newPassword]) })
  const passwordHash = await hashPassword(password)
  const ended = await db.system(async (statements) => {
    const [user] = await statements.query<{ user_id: string }>(
      'update users set password_hash = $2 where email_key = $1 returning user_id',
      [emailKey(email), passwordHash],
    )
    if (user === undefined)
      return refuse('not_found', { errors: { email: `There is no user with the e-mail "${email}"` } })
    return { endedSessions: await endSessionsOf(statements, user.user_id) }
  })
  await forgetFailures(db, emailKey(email))
  return ended
}
