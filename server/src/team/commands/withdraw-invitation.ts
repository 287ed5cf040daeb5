import type { Database } from '#platform/db/database.ts'
import type { Staff } from '#platform/http/caller.ts'
import { refuse } from '#platform/http/refuse.ts'
import { deleteUser, leaveMerchant } from '#sign-in/public.ts'
import { keepAnOwner, lockColleague } from '../colleague.ts'

/** Deletes an account that was never used. An account that the marketplace has signed in only leaves the merchant. */
export async function withdrawInvitation(db: Database, caller: Staff, userId: string): Promise<void> {
  await db.system(async (statements) => {
    const invited = await lockColleague(statements, caller, userId)
    if (invited.password_hash !== null) refuse('invitation_accepted')
    await keepAnOwner(statements, caller, invited)
    if (invited.last_login === null) await deleteUser(statements, userId)
    else await leaveMerchant(statements, userId)
  })
}
