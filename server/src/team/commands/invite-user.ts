import { randomUUID } from 'node:crypto'
import { messages } from '@cellarhand/contract/messages'
import type { User } from '@cellarhand/contract/sign-in'
import { email as emailRule, firstProblem, required } from '@cellarhand/contract/validation'
import { sqlState, type Database, type Statements } from '#platform/db/database.ts'
import type { Staff } from '#platform/http/caller.ts'
import { refuse, refuseInvalid } from '#platform/http/refuse.ts'
import type { Stationery } from '#platform/mail/outgoing.ts'
import { emailKey, toUser, userColumns, type UserRow } from '#sign-in/public.ts'
import { mailInvitation } from '../invitation-mail.ts'

const uniqueViolation = '23505'

export interface Invitation {
  readonly email: string
  readonly first_name: string
  readonly last_name: string
  readonly roles: readonly string[]
}

export interface InvitationDeps {
  readonly db: Database
  readonly publicUrl: string
  readonly stationery: Stationery
}

/** A new account, or one without a merchant, joins the team; a mail tells its owner how to begin (GAP-05). */
export async function inviteUser(
  { db, publicUrl, stationery }: InvitationDeps,
  caller: Staff,
  invitation: Invitation,
): Promise<User> {
  refuseInvalid({
    email: firstProblem(invitation.email.trim(), [required('email'), emailRule]),
    first_name: firstProblem(invitation.first_name, [required('first_name')]),
    last_name: firstProblem(invitation.last_name, [required('last_name')]),
  })
  return db.system(async (statements) => {
    const row = await admit(statements, caller, invitation)
    await mailInvitation(statements, caller, { invited: row, publicUrl, stationery })
    return toUser(row)
  })
}

async function admit(
  { query }: Statements,
  caller: Staff,
  { email, first_name, last_name, roles }: Invitation,
): Promise<UserRow> {
  const [known] = await query<UserRow>(`select ${userColumns} from users where email_key = $1 for update`, [
    emailKey(email),
  ])
  if (known !== undefined && known.merchant_id !== null) return alreadyThere()
  const merchantRoles = [...new Set(roles)]
  try {
    const [row] =
      known === undefined
        ? await query<UserRow>(
            `insert into users (user_id, merchant_id, email, email_key, first_name, last_name, roles)
             values ($1, $2, $3, $4, $5, $6, $7) returning ${userColumns}`,
            [
              randomUUID(),
              caller.merchantId,
              email.trim(),
              emailKey(email),
              first_name.trim(),
              last_name.trim(),
              merchantRoles,
            ],
          )
        : await query<UserRow>(
            `update users set merchant_id = $2, roles = roles || $3::text[] where user_id = $1 returning ${userColumns}`,
            [known.user_id, caller.merchantId, merchantRoles],
          )
    return row ?? refuse('internal')
  } catch (error) {
    if (sqlState(error) === uniqueViolation) return alreadyThere()
    throw error
  }
}

function alreadyThere(): never {
  return refuse('email_exists', { errors: { email: messages.emailExists } })
}
