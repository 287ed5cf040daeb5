import { messages } from '@cellarhand/contract/messages'
import type { User } from '@cellarhand/contract/sign-in'
import { email as emailRule, firstProblem, required } from '@cellarhand/contract/validation'
import { requireOpen } from '#platform/db/closed-merchant.ts'
import type { Database, Statements } from '#platform/db/database.ts'
import type { Staff } from '#platform/http/caller.ts'
import { refuse, Refused, refuseInvalid } from '#platform/http/refuse.ts'
import {
  addressBudget,
  emailKey,
  insertUser,
  joinMerchant,
  toColleague,
  userColumns,
  withinInvitationLimit,
  type UserRow,
} from '#sign-in/public.ts'
import { requireOwner } from '../colleague.ts'
import { mailInvitation, mailQuestion, type Letterhead } from '../invitation-mail.ts'
import { deleteInvitation, insertInvitation, isInvited, type Invitation } from '../invitations.ts'

export interface InvitationDeps extends Letterhead {
  readonly db: Database
}

/** Adds a new account to the team, or asks the person of a known one; a mail tells the person how to begin (GAP-05). */
export async function inviteUser(
  { db, ...letterhead }: InvitationDeps,
  caller: Staff,
  invitation: Invitation,
): Promise<User> {
  refuseInvalid({
    email: firstProblem(invitation.email.trim(), [required('email'), emailRule]),
    first_name: firstProblem(invitation.first_name, [required('first_name')]),
    last_name: firstProblem(invitation.last_name, [required('last_name')]),
  })
  const row = await rationed(db, { caller, email: invitation.email }, (statements) =>
    invite(statements, letterhead, { caller, invitation }),
  )
  return toColleague(row)
}

/**
 * A few mails a day to an address. The refusal of a taken address tells of an account, so a caller gets it a few times
 * a day (decision 0015).
 */
export async function rationed(
  db: Database,
  { caller, email }: { caller: Staff; email: string },
  work: (statements: Statements) => Promise<UserRow>,
): Promise<UserRow> {
  const mail = { merchantId: caller.merchantId, email }
  return withinInvitationLimit(db, mail, () =>
    db.system(async (statements) => {
      await requireOpen(statements, caller.merchantId)
      return work(statements)
    }),
  ).catch(async (error: unknown) => {
    const isTold = error instanceof Refused && error.code === 'email_exists'
    if (isTold && !(await addressBudget(db, { person: caller.userId }).spend()))
      refuse('too_many_requests', { retryAfterSeconds: 3_600 })
    throw error
  })
}

interface Asking {
  readonly caller: Staff
  readonly invitation: Invitation
  /** The invitation that this one replaces, under the same id. */
  readonly earlier?: string
}

/**
 * A person who has proven the address and has a password decides by the mailed link whether to join; until then the
 * account stays as it is (decision 0032). Any other account belongs to the person who follows the link (decision 0014).
 */
export async function invite(
  statements: Statements,
  letterhead: Letterhead,
  { caller, invitation, earlier }: Asking,
): Promise<UserRow> {
  const { email, first_name, last_name } = invitation
  const { merchantId } = caller
  const [known] = await statements.query<UserRow & { is_own: boolean }>(
    `select ${userColumns}, email_proven_at is not null and password_hash is not null as is_own
     from users where email_key = $1 for no key update`,
    [emailKey(email)],
  )
  await requireOwner(statements, caller)
  if (earlier !== undefined) await deleteInvitation(statements, merchantId, earlier)
  const isTaken = known !== undefined && known.merchant_id !== null
  if (isTaken || (await isInvited(statements, merchantId, email)))
    refuse('email_exists', { errors: { email: messages.emailExists } })
  const roles = [...new Set(invitation.roles)]
  if (known?.is_own === true) {
    const waiting = { ...invitation, roles }
    const { invited, token } = await insertInvitation(statements, { merchantId, id: earlier }, waiting)
    await mailQuestion(statements, caller, { ...letterhead, invited, token })
    return invited
  }
  const added = { email, firstName: first_name, lastName: last_name, merchantKey: merchantId, roles }
  const invited =
    known === undefined
      ? await insertUser(statements, added, null)
      : await joinMerchant(statements, known, { merchantId, roles, first_name, last_name })
  await mailInvitation(statements, caller, { ...letterhead, invited })
  return invited
}
