import type { User } from '@cellarhand/contract/sign-in'
import type { Database } from '#platform/db/database.ts'
import type { Staff } from '#platform/http/caller.ts'
import { leaveMerchant, toColleague } from '#sign-in/public.ts'
import { keepAnOwner, lockColleague } from '../colleague.ts'

/** The account remains, without a merchant and signed out everywhere; an invitation can bring it back. */
export async function revokeAccess(db: Database, caller: Staff, userId: string): Promise<User> {
  return db.system(async (statements) => {
    await keepAnOwner(statements, caller, await lockColleague(statements, caller, userId))
    return toColleague(await leaveMerchant(statements, userId))
  })
}
