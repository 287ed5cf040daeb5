import { requireOpen } from '#platform/db/closed-merchant.ts'
import type { Statements } from '#platform/db/database.ts'
import type { Person } from '#platform/http/caller.ts'
import { refuse } from '#platform/http/refuse.ts'
import { requireSamePassword } from './current-password.ts'
import { userColumns, type UserRow } from './user-record.ts'

/**
 * The first statement of every transaction that opens or ends sessions, or changes a person's sign-in. Checking a
 * password takes long, so the record may have changed since it was read: compare it again under this lock.
 * docs/architecture.md gives the order of locks ("Signing in").
 */
export async function lockUser({ query }: Statements, userId: string): Promise<UserRow | undefined> {
  const [row] = await query<UserRow>(
    `select ${userColumns} from users where user_id = $1 for no key update`,
    [userId],
  )
  return row
}

/**
 * Locks the caller's own record for a change. Refuses if the session ended while the call was under way, if the password is
 * no longer the `checked` one, or if the shop is on its way to another cell.
 */
export async function lockOwnAccount(
  statements: Statements,
  caller: Person,
  checked?: UserRow,
): Promise<UserRow> {
  const user = await lockUser(statements, caller.userId)
  const session = await statements.query(
    'select 1 from sessions where session_id = $1 and ended_at is null and expires_at > now()',
    [caller.sessionId],
  )
  if (user === undefined || session.length === 0) return refuse('unauthorized')
  // The shop may have closed for its move since the call began, and not every change writes the user's own row.
  if (user.merchant_id !== null) await requireOpen(statements, user.merchant_id)
  if (checked !== undefined) requireSamePassword(checked, user)
  return user
}
