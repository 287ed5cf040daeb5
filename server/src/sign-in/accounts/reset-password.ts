import { firstProblem, password, required } from '@cellarhand/contract/validation'
import type { Database } from '#platform/db/database.ts'
import { refuse, refuseInvalid } from '#platform/http/refuse.ts'
import { forgetFailures } from '../limits/sign-in-limits.ts'
import { endSessionsOf } from '../users/end-sessions.ts'
import { isOneTimeTokenGood, useOneTimeToken } from '../users/one-time-tokens.ts'
import { hashPassword } from '../users/passwords.ts'

/** Signs out every session that used the old password. */
export async function resetPassword(
  db: Database,
  { newPassword, token }: { newPassword: string; token: string },
): Promise<void> {
  refuseInvalid({ new_password: firstProblem(newPassword, [required('new_password'), password]) })
  const isGood = await isOneTimeTokenGood({ query: db.systemQuery }, 'set_password', token)
  if (!isGood) return refuse('bad_reset_token')
  const passwordHash = await hashPassword(newPassword)
  const signInName = await db.system(async (statements) => {
    const userId = await useOneTimeToken(statements, 'set_password', token)
    if (userId === undefined) return refuse('bad_reset_token')
    // The link was mailed, so the caller owns the mailbox.
    const [row] = await statements.query<{ email_key: string }>(
      'update users set password_hash = $2, email_proven_at = now() where user_id = $1 returning email_key',
      [userId, passwordHash],
    )
    await endSessionsOf(statements, userId)
    return row?.email_key
  })
  if (signInName !== undefined) await forgetFailures(db, signInName)
}
