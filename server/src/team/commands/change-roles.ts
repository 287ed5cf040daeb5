import type { Database } from '#platform/db/database.ts'
import type { Staff } from '#platform/http/caller.ts'
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
    const [row] = await statements.query<{ roles: string[] }>(
      `update users set roles = (select coalesce(array_agg(name), '{}') from unnest(roles) as name where name not like 'merch.%') || $2::text[]
       where user_id = $1 returning roles`,
      [userId, [...new Set(roles)]],
    )
    return rolesBody(row?.roles ?? [])
  })
}
