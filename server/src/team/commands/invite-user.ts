import { randomUUID } from 'node:crypto'
import { messages } from '@cellarhand/contract/messages'
import type { User } from '@cellarhand/contract/sign-in'
import { email as emailRule, firstProblem, required } from '@cellarhand/contract/validation'
import { sqlState, type Database, type Statements } from '#platform/db/database.ts'
import type { Staff } from '#platform/http/caller.ts'
import { refuse, refuseInvalid } from '#platform/http/refuse.ts'
import { promiseMail } from '#platform/mail/outgoing.ts'
import {
  emailKey,
  invitationLetter,
  issueOneTimeToken,
  toUser,
  userColumns,
  type UserRow,
} from '#sign-in/public.ts'

const invitationDays = 7
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
  readonly product: string
}

/** A new account, or one without a merchant, joins the team; a mail lets its owner set a password (GAP-05). */
export async function inviteUser(
  { db, publicUrl, product }: InvitationDeps,
  caller: Staff,
  invitation: Invitation,
): Promise<User> {
  refuseInvalid({ email: firstProblem(invitation.email.trim(), [required('email'), emailRule]) })
  return db.system(async (statements) => {
    const row = await admit(statements, caller, invitation)
    const [merchant] = await statements.query<{ name: string }>(
      'select name from merchants where merchant_id = $1',
      [caller.merchantId],
    )
    const token = await issueOneTimeToken(statements, {
      purpose: 'set_password',
      userId: row.user_id,
      seconds: invitationDays * 86_400,
    })
    const names = { firstName: row.first_name, merchant: merchant?.name ?? '', inviter: caller.name }
    const letter = invitationLetter(names, `${publicUrl}/forgot/password-reset/${token}`, invitationDays)
    await promiseMail(statements, { recipient: row.email, merchantId: caller.merchantId, product }, letter)
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
