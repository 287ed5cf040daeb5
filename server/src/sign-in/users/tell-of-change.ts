import type { Statements } from '#platform/db/database.ts'
import { countTry } from '#platform/db/rate-limit.ts'
import type { Letter } from '#platform/mail/letter.ts'
import { promiseMail, type Stationery } from '#platform/mail/outgoing.ts'
import type { UserRow } from './user-record.ts'

/** Of an account. More changes in a day tell its owner nothing new. */
const letters = { name: 'change-letters', max: 10, windowSeconds: 86_400 }

interface Change {
  readonly user: UserRow
  readonly letter: Letter
  /** The letter goes to an address that the account leaves. */
  readonly isFarewell?: boolean
}

/**
 * Mails the owner of an account that it changed: a thief must not do it behind the owner's back. Anybody can sign up with
 * another person's address, and staff of a shop can change to one, so an address that nobody has proven gets no
 * farewell, and other letters only while a shop vouches for the account.
 */
export async function tellOfChange(
  statements: Statements,
  { user, letter, isFarewell = false }: Change,
  stationery: Stationery,
): Promise<void> {
  const isProven = user.email_proven_at !== null
  if (!isProven && (isFarewell || user.merchant_id === null)) return
  const limit = { ...letters, subject: user.user_id }
  if ((await countTry({ systemQuery: statements.query }, limit)) !== undefined) return
  await promiseMail(statements, { recipient: user.email, merchantId: user.merchant_id, stationery }, letter)
}
