import { randomUUID } from 'node:crypto'
import { birthDate, email, firstProblem, required } from '@cellarhand/contract/validation'
import type { User } from '@cellarhand/contract/sign-in'
import { type Database } from '#platform/db/database.ts'
import { isDuplicateKey } from '#platform/db/database-errors.ts'
import { countTry } from '#platform/db/rate-limit.ts'
import { networkOf, siteOf } from '#platform/http/network.ts'
import { refuse, refuseInvalid } from '#platform/http/refuse.ts'
import { addressBudget } from '../limits/address-budget.ts'
import { newPassword } from '../users/common-passwords.ts'
import { hashPassword } from '../users/passwords.ts'
import { emailKey, toUser, userColumns, type UserRow } from '../users/user-record.ts'

/** Of a network: a whole team signs up in a day, and nobody fills the table. */
const signUps = { name: 'sign-up', max: 40, windowSeconds: 86_400 }

export interface NewAccount {
  readonly first_name: string
  readonly last_name: string
  readonly email: string
  readonly password: string
  readonly birthday: string
}

/** An account that can sign in at once and sees nothing until a merchant takes it in (GAP-41, GAP-51). */
export async function signUp(db: Database, account: NewAccount, network: string): Promise<User> {
  refuseInvalid({
    first_name: firstProblem(account.first_name, [required('first_name')]),
    last_name: firstProblem(account.last_name, [required('last_name')]),
    email: firstProblem(account.email.trim(), [required('email'), email]),
    password: firstProblem(account.password, [required('password'), newPassword]),
    birthday: firstProblem(account.birthday, [required('birth_date'), birthDate(db.clock.nowMs())]),
  })
  const waitSeconds = await countTry(db, { ...signUps, subject: networkOf(network) })
  if (waitSeconds !== undefined) refuse('too_many_requests', { retryAfterSeconds: waitSeconds })
  const budget = addressBudget(db, { network })
  if (await budget.isSpent()) tooMany()
  const passwordHash = await hashPassword(account.password, { lane: siteOf(network), isKnown: false })
  // Again: many sign-ups that came together have spent it while their passwords waited to be hashed.
  if (await budget.isSpent()) tooMany()
  try {
    const [row] = await db.systemQuery<UserRow>(
      `insert into users (user_id, email, email_key, first_name, last_name, birthday, password_hash, terms_accepted_at, email_proven_at)
       values ($1, $2, $3, $4, $5, $6, $7, now(), null) returning ${userColumns}`,
      [
        randomUUID(),
        account.email.trim(),
        emailKey(account.email),
        account.first_name.trim(),
        account.last_name.trim(),
        account.birthday,
        passwordHash,
      ],
    )
    return row === undefined ? refuse('internal') : toUser(row)
  } catch (error) {
    if (isDuplicateKey(error)) return (await budget.spend()) ? refuse('email_exists') : tooMany()
    throw error
  }
}

/** A new address gets this answer too. Otherwise a missing refusal would reveal that the address is new. */
function tooMany(): never {
  return refuse('too_many_requests', { retryAfterSeconds: 3_600 })
}
