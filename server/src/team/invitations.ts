import { randomUUID } from 'node:crypto'
import type { Statements } from '#platform/db/database.ts'
import type { Staff } from '#platform/http/caller.ts'
import { refuse } from '#platform/http/refuse.ts'
import { emailKey, hashOf, newToken, type UserRow } from '#sign-in/public.ts'
import { requireOwner } from './colleague.ts'

export interface Invitation {
  readonly email: string
  readonly first_name: string
  readonly last_name: string
  readonly roles: readonly string[]
}

export const invitationDays = 7

/**
 * An invitation that waits for its answer reads like a user without a password. It has an id of its own, and tells
 * nothing of the account behind the address.
 */
export const invitedColumns = `invitation_id as user_id, merchant_id, email, first_name, last_name, null::text as phone_number,
  null::text as birthday, null::text as password_hash, roles, created_at, null::timestamptz as last_login,
  null::timestamptz as two_step_confirmed_at, null::timestamptz as email_proven_at`

export async function findInvitation(
  { query }: Statements,
  merchantId: string,
  id: string,
): Promise<UserRow | undefined> {
  const [row] = await query<UserRow>(
    `select ${invitedColumns} from team_invitations where merchant_id = $1 and invitation_id = $2`,
    [merchantId, id],
  )
  return row
}

export async function isInvited({ query }: Statements, merchantId: string, email: string): Promise<boolean> {
  const found = await query('select 1 from team_invitations where merchant_id = $1 and email_key = $2', [
    merchantId,
    emailKey(email),
  ])
  return found.length > 0
}

/** Returns the invited person and the secret of the link. The transaction has locked the merchant. */
export async function insertInvitation(
  { query }: Statements,
  { merchantId, id = randomUUID() }: { merchantId: string; id?: string | undefined },
  { email, first_name, last_name, roles }: Invitation,
): Promise<{ invited: UserRow; token: string }> {
  const token = newToken()
  const [invited] = await query<UserRow>(
    `insert into team_invitations (merchant_id, invitation_id, email, email_key, first_name, last_name, roles, token_hash, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, now() + make_interval(days => $9)) returning ${invitedColumns}`,
    [
      merchantId,
      id,
      email.trim(),
      emailKey(email),
      first_name.trim(),
      last_name.trim(),
      roles,
      hashOf(token),
      invitationDays,
    ],
  )
  return invited === undefined ? refuse('internal') : { invited, token }
}

/** Refuses when it was answered or taken back meanwhile. The transaction has locked the merchant. */
export async function deleteInvitation({ query }: Statements, merchantId: string, id: string): Promise<void> {
  const gone = await query(
    'delete from team_invitations where merchant_id = $1 and invitation_id = $2 returning 1',
    [merchantId, id],
  )
  if (gone.length === 0) refuse('not_found')
}

/** Ends an invitation that waits for its answer, and its link; undefined when there is none of that id. */
export async function takeBackInvitation(
  statements: Statements,
  caller: Staff,
  id: string,
): Promise<UserRow | undefined> {
  const invited = await findInvitation(statements, caller.merchantId, id)
  if (invited === undefined) return undefined
  await requireOwner(statements, caller)
  await deleteInvitation(statements, caller.merchantId, id)
  return invited
}

/** Undefined when no invitation with that id waits for its answer. */
export async function changeInvitedRoles(
  statements: Statements,
  caller: Staff,
  { id, roles }: { id: string; roles: readonly string[] },
): Promise<readonly string[] | undefined> {
  if ((await findInvitation(statements, caller.merchantId, id)) === undefined) return undefined
  await requireOwner(statements, caller)
  const [row] = await statements.query<{ roles: string[] }>(
    'update team_invitations set roles = $3 where merchant_id = $1 and invitation_id = $2 returning roles',
    [caller.merchantId, id, [...new Set(roles)]],
  )
  return row === undefined ? refuse('not_found') : row.roles
}
