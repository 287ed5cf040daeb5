import type { User } from '@cellarhand/contract/sign-in'
import type { Statements } from '#platform/db/database.ts'
import type { Staff } from '#platform/http/caller.ts'
import { leaveMerchant, toColleague } from '#sign-in/public.ts'
import { keepAnOwner, lockColleague } from '../colleague.ts'
import { takeBackInvitation } from '../invitations.ts'

/** The account remains, without a merchant and signed out everywhere; an invitation can bring it back. */
export async function revokeAccess(statements: Statements, caller: Staff, userId: string): Promise<User> {
  const invited = await takeBackInvitation(statements, caller, userId)
  if (invited !== undefined) return toColleague({ ...invited, merchant_id: null, roles: [] })
  await keepAnOwner(statements, caller, await lockColleague(statements, caller, userId))
  return toColleague(await leaveMerchant(statements, userId))
}
