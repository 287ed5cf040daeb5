import type { Statements } from '#platform/db/database.ts'
import type { Staff } from '#platform/http/caller.ts'
import { replaceMerchantRoles } from '#sign-in/public.ts'
import { keepAnOwner, lockColleague } from '../colleague.ts'
import { changeInvitedRoles } from '../invitations.ts'
import { rolesBody } from '../reads.ts'

/** Replaces a colleague's merchant roles; roles of other systems stay as they are (GAP-06). */
export async function changeRoles(
  statements: Statements,
  caller: Staff,
  { id, roles }: { id: string; roles: readonly string[] },
) {
  const invited = await changeInvitedRoles(statements, caller, { id, roles })
  if (invited !== undefined) return rolesBody(invited)
  await keepAnOwner(statements, caller, {
    ...(await lockColleague(statements, caller, id)),
    ...(roles.includes('merch.owner') ? { roles: [] } : {}),
  })
  return rolesBody(await replaceMerchantRoles(statements, id, roles))
}
