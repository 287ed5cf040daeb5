import { randomUUID } from 'node:crypto'
import { messages } from '@cellarhand/contract/messages'
import type { User } from '@cellarhand/contract/sign-in'
import { email as emailRule, firstProblem, required } from '@cellarhand/contract/validation'
import { isDuplicateKey, type Database, type Statements } from '#platform/db/database.ts'
import type { Staff } from '#platform/http/caller.ts'
import { refuse, Refused, refuseInvalid } from '#platform/http/refuse.ts'
import type { Stationery } from '#platform/mail/outgoing.ts'
import { addressBudget, emailKey, endSessionsOf, toUser, userColumns, type UserRow } from '#sign-in/public.ts'
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
      return toUser(row)
    })
    .catch(async (error: unknown) => {
      const isTold = error instanceof Refused && error.code === 'email_exists'
      if (isTold && !(await addressBudget(db, { person: caller.userId }).spend()))
        refuse('too_many_requests', { retryAfterSeconds: 3_600 })
      throw error
    })
}

/**
 * Anybody can sign up with another person's address, so an account belongs to the address's owner only once a mailed
 * link was followed. Until then it joins without password, sessions and data, and the invitation's link gives it to the
 * owner of the mailbox (decision 0014).
 */
async function takeFromWhoeverSignedUp(
  statements: Statements,
  known: UserRow,
  { first_name, last_name }: Pick<Invitation, 'first_name' | 'last_name'>,
): Promise<void> {
  const taken = await statements.query(
    `update users set password_hash = null, first_name = $2, last_name = $3, phone_number = null, birthday = null,
       two_step_secret_sealed = null, two_step_confirmed_at = null, two_step_last_counter = null
     where user_id = $1 and email_proven_at is null and password_hash is not null returning 1`,
    [known.user_id, first_name.trim(), last_name.trim()],
  )
  if (taken.length === 0) return
  await endSessionsOf(statements, known.user_id)
  await statements.query('delete from recovery_codes where user_id = $1', [known.user_id])
}

async function admit(
  statements: Statements,
  caller: Staff,
  { email, first_name, last_name, roles }: Invitation,
): Promise<UserRow> {
  const { query } = statements
  const [known] = await query<UserRow>(
    `select ${userColumns} from users where email_key = $1 for no key update`,
    [emailKey(email)],
  )
  await requireOwner(statements, caller)
  if (known !== undefined && known.merchant_id !== null) return alreadyThere()
  if (known !== undefined) await takeFromWhoeverSignedUp(statements, known, { first_name, last_name })
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
    if (isDuplicateKey(error)) return alreadyThere()
    throw error
  }
}

function alreadyThere(): never {
  return refuse('email_exists', { errors: { email: messages.emailExists } })
}
