import { firstProblem, required } from '@cellarhand/contract/validation'
import type { Database } from '#platform/db/database.ts'
import { siteOf } from '#platform/http/network.ts'
import { refuse, refuseInvalid } from '#platform/http/refuse.ts'
import { promiseMail, type Stationery } from '#platform/mail/outgoing.ts'
import { rememberNetwork } from '../limits/known-networks.ts'
import { forgetFailures } from '../limits/sign-in-limits.ts'
import { newPassword } from '../users/common-passwords.ts'
import { askerOf } from '../users/current-password.ts'
import { endSessionsOf } from '../users/end-sessions.ts'
import { changedLetter } from '../users/letters.ts'
import { findTokenUser, useOneTimeToken } from '../users/one-time-tokens.ts'
import { hashPassword } from '../users/passwords.ts'
import { emailKey, userColumns, type UserRow } from '../users/user-record.ts'
import { forgetStranger } from './forget-stranger.ts'

interface NewPassword {
  readonly newPassword: string
  readonly token: string
  readonly network: string
  readonly stationery: Stationery
}

/** Signs out every session that used the old password. */
export async function resetPassword(
  db: Database,
  { newPassword: chosen, token, network, stationery }: NewPassword,
): Promise<void> {
  refuseInvalid({ new_password: firstProblem(chosen, [required('new_password'), newPassword]) })
  const asker = await findTokenUser({ query: db.systemQuery }, 'set_password', token)
  if (asker === undefined) return refuse('bad_reset_token')
  // Anybody can have a link for an account of their own. Those come with the strangers, however many they are.
  const isStranger = asker.merchant_id === null
  const lane = isStranger ? { lane: siteOf(network), isKnown: false } : askerOf(asker)
  const passwordHash = await hashPassword(chosen, lane)
  const user = await db.system(async (statements) => {
    const userId = await useOneTimeToken(statements, 'set_password', token)
    if (userId === undefined) return refuse('bad_reset_token')
    const [before] = await statements.query<UserRow & { is_unclaimed: boolean }>(
      `select ${userColumns}, email_proven_at is null and merchant_id is null as is_unclaimed
       from users where user_id = $1`,
      [userId],
    )
    // The link was mailed, so the person who follows it has the mailbox.
    await statements.query(
      'update users set password_hash = $2, email_proven_at = now() where user_id = $1',
      [userId, passwordHash],
    )
    await endSessionsOf(statements, userId)
    if (before?.is_unclaimed === true) await forgetStranger(statements, userId)
    // Or guesses from elsewhere would keep the owner of the new password out of a phone's network.
    await rememberNetwork(statements, userId, network)
    if (before !== undefined && before.password_hash !== null) {
      const { email, first_name, merchant_id } = before
      const letter = changedLetter(first_name, { what: 'password', product: stationery.product })
      await promiseMail(statements, { recipient: email, merchantId: merchant_id, stationery }, letter)
    }
    return before
  })
  if (user !== undefined) await forgetFailures(db, emailKey(user.email))
}
