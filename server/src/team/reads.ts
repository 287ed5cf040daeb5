import { roleLabel } from '@cellarhand/contract/roles'
import type { Database } from '#platform/db/database.ts'
import type { Person } from '#platform/http/caller.ts'
import { refuse } from '#platform/http/refuse.ts'
import { listUndelivered } from '#platform/mail/undelivered.ts'
import { hashOf, toColleague, userColumns, type UserRow } from '#sign-in/public.ts'
import { invitedColumns } from './invitations.ts'

export function toTeamUser(row: UserRow, problem: string | null = null) {
  const isPending = row.password_hash === null
  return {
    ...toColleague(row),
    invitation_pending: isPending,
    invitation_problem: isPending ? problem : null,
  }
}

export async function listTeam(db: Database, merchantId: string) {
  const rows = await db.view(merchantId, ({ query }) =>
    query<UserRow>(
      `select * from (
         select ${userColumns} from users where merchant_id = $1
         union all select ${invitedColumns} from team_invitations where merchant_id = $1
       ) as team order by lower(last_name), lower(first_name), user_id`,
      [merchantId],
    ),
  )
  const undelivered = await listUndelivered(db, merchantId)
  const problemOf = ({ email }: UserRow) =>
    undelivered.find(({ recipient }) => recipient.toLowerCase() === email.toLowerCase())?.reason ?? null
  return { items: rows.map((row) => toTeamUser(row, problemOf(row))), total_rows: rows.length }
}

/** Undefined when nobody of that id waits for an answer. */
export async function findInvitedAddress(
  db: Database,
  merchantId: string,
  id: string,
): Promise<string | undefined> {
  const [row] = await db.read(merchantId, ({ query }) =>
    query<{ email: string }>(
      `select email from users where user_id = $1 and merchant_id = $2 and password_hash is null
       union all select email from team_invitations where invitation_id = $1 and merchant_id = $2`,
      [id, merchantId],
    ),
  )
  return row?.email
}

export function rolesBody(roles: readonly string[]) {
  return { roles: roles.map((name) => ({ name, label: roleLabel(name) })) }
}

/** The roles of the caller or a colleague; for anybody else the answer is 404. */
export async function getRoles(db: Database, caller: Person, userId: string) {
  if (caller.userId === userId) return rolesBody(caller.roles)
  const { merchantId } = caller
  if (merchantId === null) return refuse('not_found')
  const [row] = await db.view(merchantId, ({ query }) =>
    query<{ roles: string[] }>(
      `select roles from users where user_id = $1 and merchant_id = $2
       union all select roles from team_invitations where invitation_id = $1 and merchant_id = $2`,
      [userId, merchantId],
    ),
  )
  return row === undefined ? refuse('not_found') : rolesBody(row.roles)
}

export async function isSecondStepRequired(db: Database, merchantId: string): Promise<boolean> {
  const rows = await db.read(merchantId, ({ query }) =>
    query('select 1 from merchants where merchant_id = $1 and two_step_required', [merchantId]),
  )
  return rows.length === 1
}

interface Asked {
  readonly merchant_id: string
  readonly name: string
  readonly email: string
  readonly roles: readonly string[]
  readonly is_over: boolean
}

/** For the person who has followed the link and decides: which shop asks, and for what. */
export async function readInvitation(db: Database, token: string) {
  const [asked] = await db.systemQuery<Asked>(
    `select merchant_id, m.name, i.email, i.roles, i.expires_at <= now() as is_over
     from team_invitations i join merchants m using (merchant_id) where i.token_hash = $1`,
    [hashOf(token)],
  )
  if (asked === undefined) return refuse('bad_invitation')
  if (asked.is_over) return refuse('invitation_expired')
  const { merchant_id, name, email, roles } = asked
  return { merchant: { id: merchant_id, name }, email, ...rolesBody(roles) }
}
