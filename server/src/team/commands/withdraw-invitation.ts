import type { Statements } from '#platform/db/database.ts'
import type { Staff } from '#platform/http/caller.ts'
import { refuse } from '#platform/http/refuse.ts'
import { deleteUser, leaveMerchant } from '#sign-in/public.ts'
import { keepAnOwner, lockColleague } from '../colleague.ts'
import { takeBackInvitation } from '../invitations.ts'

/**
 * Deletes an account that was never used. An account that the marketplace has signed in only leaves the merchant, and
 * one that was only asked to join stays as it is.
 */
export async function withdrawInvitation(
  statements: Statements,
  caller: Staff,
  userId: string,
): Promise<Record<string, never>> {
  if ((await takeBackInvitation(statements, caller, userId)) !== undefined) return {}
  const invited = await lockColleague(statements, caller, userId)
  if (invited.password_hash !== null) refuse('invitation_accepted')
  await keepAnOwner(statements, caller, invited)
  if (invited.last_login === null) await deleteUser(statements, userId)
  else await leaveMerchant(statements, userId)
  return {}
}
