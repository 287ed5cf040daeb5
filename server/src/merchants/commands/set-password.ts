import { firstProblem, password as passwordRule, required } from '@cellarhand/contract/validation'
import { emailKey, hashPassword } from '#sign-in/public.ts'
import type { Database } from '#platform/db/database.ts'
import { refuse, refuseInvalid } from '#platform/http/refuse.ts'

/** Gives a user another password and ends every session that the old one began. */
export async function setPassword(
  db: Database,
  { email, password }: { email: string; password: string },
): Promise<{ endedSessions: number }> {
  refuseInvalid({ password: firstProblem(password, [required('password'), passwordRule]) })
  const passwordHash = await hashPassword(password)
  return db.system(async ({ query }) => {
    const [user] = await query<{ user_id: string }>(
      'update users set password_hash = $2 where email_key = $1 returning user_id',
      [emailKey(email), passwordHash],
    )
    if (user === undefined)
      return refuse('not_found', { errors: { email: `There is no user with the e-mail "${email}"` } })
    const ended = await query(
      'update sessions set ended_at = now() where user_id = $1 and ended_at is null returning 1',
      [user.user_id],
    )
    return { endedSessions: ended.length }
  })
}
