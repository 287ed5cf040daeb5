import { roleLabel } from '@cellarhand/contract/roles'
import type { User } from '@cellarhand/contract/sign-in'

export interface UserRow {
  readonly user_id: string
  readonly merchant_id: string | null
  readonly email: string
  readonly first_name: string
  readonly last_name: string
  readonly phone_number: string | null
  readonly birthday: string | null
  readonly password_hash: string | null
  readonly roles: readonly string[]
  readonly created_at: Date
  readonly last_login: Date | null
  readonly two_step_confirmed_at: Date | null
  /** Null after a sign-up and a change of the e-mail, until a mailed link sets a password (decision 0014). */
  readonly email_proven_at: Date | null
}

export const userColumns =
  'user_id, merchant_id, email, first_name, last_name, phone_number, birthday::text as birthday, password_hash, roles, created_at, last_login, two_step_confirmed_at, email_proven_at'

/** E-mails are compared without regard to case. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase()
}

/** What a colleague may know of a person: the birthday and the phone are that person's own. */
export function toColleague(row: UserRow): User {
  return toUser({ ...row, phone_number: null, birthday: null })
}

export function toUser(row: UserRow): User {
  const roles = row.roles.map((name) => ({ name, label: roleLabel(name) }))
  return {
    id: row.user_id,
    uuid: row.user_id,
    first_name: row.first_name,
    last_name: row.last_name,
    email: row.email,
    phone_number: row.phone_number,
    phone: row.phone_number,
    birthday: row.birthday,
    date_created: row.created_at.toISOString(),
    last_login: row.last_login?.toISOString() ?? null,
    userRoles: roles,
    roles,
    aux_data: { authorized_merchant: row.merchant_id },
  }
}
