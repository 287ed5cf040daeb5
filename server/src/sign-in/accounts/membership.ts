import type { Statements } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import { endSessionsOf } from '../users/end-sessions.ts'
import { forgetStranger } from './forget-stranger.ts'
import { userColumns, type UserRow } from '../users/user-record.ts'

interface Membership {
  readonly merchantId: string
  readonly roles: readonly string[]
  readonly first_name: string
  readonly last_name: string
}

/**
 * Puts an account without a merchant into a team. Anybody can sign up with another person's address, so an account
 * belongs to the address's owner only once a mailed link was followed. Until then it joins without password, sessions
 * and data, and the invitation's link gives it to the owner of the mailbox (decision 0014).
 */
export async function joinMerchant(
  statements: Statements,
  known: UserRow,
  { merchantId, roles, first_name, last_name }: Membership,
): Promise<UserRow> {
  const taken = await statements.query(
    `update users set password_hash = null, first_name = $2, last_name = $3, phone_number = null, birthday = null
     where user_id = $1 and email_proven_at is null and password_hash is not null returning 1`,
    [known.user_id, first_name.trim(), last_name.trim()],
  )
  if (taken.length > 0) {
    await endSessionsOf(statements, known.user_id)
    await forgetStranger(statements, known.user_id)
  }
  const [row] = await statements.query<UserRow>(
    `update users set merchant_id = $2, roles = roles || $3::text[] where user_id = $1 returning ${userColumns}`,
    [known.user_id, merchantId, roles],
  )
  return row ?? refuse('internal')
}

const otherRoles = `(select coalesce(array_agg(name), '{}') from unnest(roles) as name where name not like 'merch.%')`

/** Replaces the roles at the merchant and returns all roles. Those of other systems stay as they are (GAP-06). */
export async function replaceMerchantRoles(
  { query }: Statements,
  userId: string,
  roles: readonly string[],
): Promise<readonly string[]> {
  const [row] = await query<{ roles: string[] }>(
    `update users set roles = ${otherRoles} || $2::text[] where user_id = $1 returning roles`,
    [userId, [...new Set(roles)]],
  )
  return row?.roles ?? []
}

/** The account remains, without the merchant and its roles, and is signed out everywhere. */
export async function leaveMerchant(statements: Statements, userId: string): Promise<UserRow> {
  const [row] = await statements.query<UserRow>(
    `update users set merchant_id = null, roles = ${otherRoles} where user_id = $1 returning ${userColumns}`,
    [userId],
  )
  await endSessionsOf(statements, userId)
  return row ?? refuse('not_found')
}

export async function deleteUser({ query }: Statements, userId: string): Promise<void> {
  await query('delete from users where user_id = $1', [userId])
}
