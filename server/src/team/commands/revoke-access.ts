import type { User } from '@cellarhand/contract/sign-in'
import type { Database } from '#platform/db/database.ts'
import type { Staff } from '#platform/http/caller.ts'
import { refuse } from '#platform/http/refuse.ts'
import { endSessionsOf, toUser, userColumns, type UserRow } from '#sign-in/public.ts'
import { keepAnOwner, lockColleague } from '../colleague.ts'

/** The account stays, without a merchant and signed out everywhere; an invitation can bring it back. */
export async function revokeAccess(db: Database, caller: Staff, userId: string): Promise<User> {
  return db.system(async (statements) => {
    await keepAnOwner(statements, caller, await lockColleague(statements, caller, userId))
    const [row] = await statements.query<UserRow>(
      `update users set merchant_id = null,
         roles = (select coalesce(array_agg(name), '{}') from unnest(roles) as name where name not like 'merch.%')
       where user_id = $1 returning ${userColumns}`,
      [userId],
    )
    await endSessionsOf(statements, userId)
    return row === undefined ? refuse('not_found') : toUser(row)
  })
}
