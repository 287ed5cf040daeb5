import { messages } from '@cellarhand/contract/messages'
import type { Database } from '#platform/db/database.ts'
import { countTry, forgetTries } from '#platform/db/rate-limit.ts'
import { refuse } from '#platform/http/refuse.ts'
import type { Asker } from './fair-turns.ts'
import { isPassword } from './passwords.ts'
import type { UserRow } from './user-record.ts'

const tries = { name: 'current-password', max: 10, windowSeconds: 15 * 60 }

/**
 * A holder of a session must not guess its user's password with it. A wrong password is a field error, never a 401
 * (GAP-40).
 */
export async function requirePassword(db: Database, user: UserRow, given: string | undefined): Promise<void> {
  if (given === undefined) return wrongPassword()
  const limit = { ...tries, subject: user.user_id }
  const waitSeconds = await countTry(db, limit)
  if (waitSeconds !== undefined) refuse('too_many_requests', { retryAfterSeconds: waitSeconds })
  if (!(await isPassword(given, user.password_hash, askerOf(user)))) return wrongPassword()
  await forgetTries(db, limit)
}

/** Somebody who has signed in waits behind their own work alone. */
export function askerOf({ user_id, merchant_id }: UserRow): Asker {
  return { lane: `user ${user_id}`, isKnown: merchant_id !== null }
}

/** The password that was checked is still the one of the record, which is locked by now. */
export function requireSamePassword(checked: UserRow, now: UserRow): void {
  if (now.password_hash !== checked.password_hash) wrongPassword()
}

export function wrongPassword(): never {
  return refuse('validation_failed', { errors: { password: messages.wrongCurrentPassword } })
}
