import { messages } from '@cellarhand/contract/messages'
import type { User } from '@cellarhand/contract/sign-in'
import { email as emailRule, firstProblem, required } from '@cellarhand/contract/validation'
import type { Database, Statements } from '#platform/db/database.ts'
import type { Staff } from '#platform/http/caller.ts'
import { refuse, Refused, refuseInvalid } from '#platform/http/refuse.ts'
import type { Stationery } from '#platform/mail/outgoing.ts'
import {
  addressBudget,
  emailKey,
  insertUser,
  joinMerchant,
  toColleague,
  userColumns,
  type UserRow,
} from '#sign-in/public.ts'
import { requireOwner } from '../colleague.ts'
import { mailInvitation } from '../invitation-mail.ts'

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

/** Adds a new account, or one without a merchant, to the team; a mail tells the person how to begin (GAP-05). */
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
  return db
    .system(async (statements) => {
      const row = await admit(statements, caller, invitation)
      await mailInvitation(statements, caller, { invited: row, publicUrl, stationery })
      return toColleague(row)
    })
    .catch(async (error: unknown) => {
      const isTold = error instanceof Refused && error.code === 'email_exists'
      if (isTold && !(await addressBudget(db, { person: caller.userId }).spend()))
        refuse('too_many_requests', { retryAfterSeconds: 3_600 })
      throw error
    })
}

async function admit(
  statements: Statements,
  caller: Staff,
  { email, first_name, last_name, roles }: Invitation,
): Promise<UserRow> {
  const [known] = await statements.query<UserRow>(
    `select ${userColumns} from users where email_key = $1 for no key update`,
    [emailKey(email)],
  )
  await requireOwner(statements, caller)
  const { merchantId } = caller
  const asked = [...new Set(roles)]
  if (known === undefined) {
    const added = { email, firstName: first_name, lastName: last_name, merchantKey: merchantId, roles: asked }
    return insertUser(statements, added, null)
  }
  if (known.merchant_id !== null) refuse('email_exists', { errors: { email: messages.emailExists } })
  return joinMerchant(statements, known, { merchantId, roles: asked, first_name, last_name })
}
