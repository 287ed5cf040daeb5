import { roleLabel } from '@cellarhand/contract/roles'
import type { Database } from '#platform/db/database.ts'
import type { Person } from '#platform/http/caller.ts'
import { refuse } from '#platform/http/refuse.ts'
import { listUndelivered } from '#platform/mail/undelivered.ts'
import { toColleague, userColumns, type UserRow } from '#sign-in/public.ts'

export function toTeamUser(row: UserRow, problem: string | null = null) {
  const isPending = row.password_hash === null
  return {
    ...toColleague(row),
    invitation_pending: isPending,
    invitation_problem: isPending ? problem : null,
  }
}

export async function listTeam(db: Database, merchantId: string) {
  const rows = await db.read(merchantId, ({ query }) =>
    query<UserRow>(
      `select ${userColumns} from users where merchant_id = $1 order by lower(last_name), lower(first_name), user_id`,
      [merchantId],
    ),
  )
  const undelivered = await listUndelivered(db, merchantId)
  const problemOf = ({ email }: UserRow) =>
    undelivered.find(({ recipient }) => recipient.toLowerCase() === email.toLowerCase())?.reason ?? null
  return { items: rows.map((row) => toTeamUser(row, problemOf(row))), total_rows: rows.length }
}

export function rolesBody(roles: readonly string[]) {
  return { roles: roles.map((name) => ({ name, label: roleLabel(name) })) }
}

/** The roles of the caller or a colleague; for anybody else the answer is 404. */
export async function getRoles(db: Database, caller: Person, userId: string) {
  if (caller.userId === userId) return rolesBody(caller.roles)
  const { merchantId } = caller
  if (merchantId === null) return refuse('not_found')
  const [row] = await db.read(merchantId, ({ query }) =>
    query<{ roles: string[] }>('select roles from users where user_id = $1 and merchant_id = $2', [
      userId,
      merchantId,
    ]),
  )
  return row === undefined ? refuse('not_found') : rolesBody(row.roles)
}

export async function isSecondStepRequired(db: Database, merchantId: string): Promise<boolean> {
  const rows = await db.read(merchantId, ({ query }) =>
    query('select 1 from merchants where merchant_id = $1 and two_step_required', [merchantId]),
  )
  return rows.length === 1
}
