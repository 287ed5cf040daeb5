import type { Statements } from '#platform/db/database.ts'
import type { Staff } from '#platform/http/caller.ts'
import { refuse } from '#platform/http/refuse.ts'
import { userColumns, type UserRow } from '#sign-in/public.ts'

export const owner = 'merch.owner'

/** Locks a colleague's record. Nobody may change their own record, and another merchant's person is a 404. */
export async function lockColleague({ query }: Statements, caller: Staff, userId: string): Promise<UserRow> {
  if (userId === caller.userId) refuse('self_edit')
  const [row] = await query<UserRow>(
    `select ${userColumns} from users where user_id = $1 and merchant_id = $2 for update`,
    [userId, caller.merchantId],
  )
  return row ?? refuse('not_found')
}

/**
 * Whether the caller is still an owner in a living session; both can end while the call is under way. Every change of
 * roles locks the merchant, after the colleague's record, so the answer holds until the transaction ends.
 */
async function isStillOwner({ query }: Statements, caller: Staff): Promise<boolean> {
  await query('select 1 from merchants where merchant_id = $1 for no key update', [caller.merchantId])
  const found = await query(
    `select 1 from users join sessions using (user_id)
     where user_id = $1 and merchant_id = $2 and $3 = any (roles)
       and session_id = $4 and ended_at is null and expires_at > now()`,
    [caller.userId, caller.merchantId, owner, caller.sessionId],
  )
  return found.length === 1
}

export async function requireOwner(statements: Statements, caller: Staff): Promise<void> {
  if (!(await isStillOwner(statements, caller))) refuse('forbidden')
}

/**
 * Refuses to leave a merchant without an owner. It locks the merchant's row first, so that when two owners remove each
 * other at the same moment, one waits and is then refused.
 */
export async function keepAnOwner(statements: Statements, caller: Staff, leaving: UserRow): Promise<void> {
  const isOwner = await isStillOwner(statements, caller)
  if (leaving.roles.includes(owner)) {
    const others = await statements.query(
      'select 1 from users where merchant_id = $1 and user_id <> $2 and $3 = any (roles) limit 1',
      [caller.merchantId, leaving.user_id, owner],
    )
    if (others.length === 0) refuse('last_owner')
  }
  if (!isOwner) refuse('forbidden')
}
