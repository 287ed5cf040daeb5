import type { Database } from '#platform/db/database.ts'
import type { Staff } from '#platform/http/caller.ts'
import { replaceMerchantRoles } from '#sign-in/public.ts'
import { keepAnOwner, lockColleague } from '../colleague.ts'
import { rolesBody } from '../reads.ts'

/** Replaces a colleague's merchant roles; roles of other systems stay as they are (GAP-06). */
export async function changeRoles(
  db: Database,
  caller: Staff,
  { userId, roles }: { userId: string; roles: readonly string[] },
) {
  return db.system(async (statements) => {
    await keepAnOwner(statements, caller, {
      ...(await lockColleague(statements, caller, userId)),
      ...(roles.includes('merch.owner') ? { roles: [] } : {}),
    })
    return rolesBody(await replaceMerchantRoles(statements, userId, roles))
  })
}
