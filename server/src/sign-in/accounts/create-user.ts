import { randomUUID } from 'node:crypto'
import { messages } from '@cellarhand/contract/messages'
import { merchantRoles } from '@cellarhand/contract/permissions'
import { email, firstProblem, phone, required } from '@cellarhand/contract/validation'
import { type Database, type Statements } from '#platform/db/database.ts'
import { isDuplicateKey, sqlState } from '#platform/db/database-errors.ts'
import { refuse, refuseInvalid } from '#platform/http/refuse.ts'
import { newPassword } from '../users/common-passwords.ts'
import { hashPassword } from '../users/passwords.ts'
import { emailKey, userColumns, type UserRow } from '../users/user-record.ts'

export interface NewUser {
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly password: string
  readonly phone?: string | undefined
  /** Undefined for a person who signed up and belongs to no merchant yet. */
  readonly merchantKey?: string | undefined
  readonly role?: string | undefined
}

const foreignKeyViolation = '23503'

/** A user without a password gets a mailed link that sets one. */
export type InvitedUser = Omit<NewUser, 'password'> & { readonly password?: string | undefined }

export function userProblems(user: InvitedUser): Record<string, string | undefined> {
  const roles: readonly string[] = merchantRoles
  return {
    email: firstProblem(user.email.trim(), [required('email'), email]),
    'first name': firstProblem(user.firstName, [required('first name')]),
    'last name': firstProblem(user.lastName, [required('last name')]),
    password:
      user.password === undefined
        ? undefined
        : firstProblem(user.password, [required('password'), newPassword]),
    phone: firstProblem(user.phone ?? '', [phone]),
    role: roleProblem(user, roles),
  }
}

function roleProblem({ merchantKey, role }: InvitedUser, roles: readonly string[]): string | undefined {
  if (merchantKey === undefined) {
    return role === undefined ? undefined : 'Only a user of a merchant has a role; please name the merchant'
  }
  return role !== undefined && roles.includes(role) ? undefined : `Must be one of: ${roles.join(', ')}`
}

/** Creates a person who can sign in, alone or as a merchant's staff. Returns the new user's id. */
export async function createUser(db: Database, user: NewUser): Promise<string> {
  refuseInvalid(userProblems(user))
  const passwordHash = await hashPassword(user.password)
  const { user_id } = await db.system((statements) => insertUser(statements, user, passwordHash))
  return user_id
}

type StoredUser = Omit<InvitedUser, 'password'> & { readonly roles?: readonly string[] }

export async function insertUser(
  { query }: Statements,
  user: StoredUser,
  passwordHash: string | null,
): Promise<UserRow> {
  const { roles = user.role === undefined ? [] : [user.role] } = user
  try {
    const [row] = await query<UserRow>(
      `insert into users (user_id, merchant_id, email, email_key, first_name, last_name, phone_number, password_hash, roles)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning ${userColumns}`,
      [
        randomUUID(),
        user.merchantKey ?? null,
        user.email.trim(),
        emailKey(user.email),
        user.firstName.trim(),
        user.lastName.trim(),
        user.phone ?? null,
        passwordHash,
        roles,
      ],
    )
    return row ?? refuse('internal')
  } catch (error) {
    if (isDuplicateKey(error)) refuse('email_exists', { errors: { email: messages.emailExists } })
    if (sqlState(error) === foreignKeyViolation)
      refuse('validation_failed', {
        errors: { merchant: `There is no merchant "${user.merchantKey ?? ''}"` },
      })
    throw error
  }
}
