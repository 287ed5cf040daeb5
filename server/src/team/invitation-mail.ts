import type { Statements } from '#platform/db/database.ts'
import type { Staff } from '#platform/http/caller.ts'
import { promiseMail, type Stationery } from '#platform/mail/outgoing.ts'
import { joinLetter, promiseInvitation, type UserRow } from '#sign-in/public.ts'
import { invitationDays } from './invitations.ts'

export interface Letterhead {
  readonly publicUrl: string
  readonly stationery: Stationery
}

interface InvitationMail extends Letterhead {
  readonly invited: UserRow
}

/** Mails a link that sets a password. */
export async function mailInvitation(
  statements: Statements,
  caller: Staff,
  { invited, publicUrl, stationery }: InvitationMail,
): Promise<void> {
  const names = await namesOf(statements, caller, invited)
  const addressed = { recipient: invited.email, merchantId: caller.merchantId, stationery }
  await promiseInvitation(statements, addressed, { userId: invited.user_id, names, publicUrl })
}

/** Mails a link that asks a person with an account whether to join. */
export async function mailQuestion(
  statements: Statements,
  caller: Staff,
  { invited, token, publicUrl, stationery }: InvitationMail & { readonly token: string },
): Promise<void> {
  const names = await namesOf(statements, caller, invited)
  const addressed = { recipient: invited.email, merchantId: caller.merchantId, stationery }
  await promiseMail(statements, addressed, joinLetter(names, `${publicUrl}/join/${token}`, invitationDays))
}

async function namesOf({ query }: Statements, caller: Staff, invited: UserRow) {
  const [merchant] = await query<{ name: string }>('select name from merchants where merchant_id = $1', [
    caller.merchantId,
  ])
  return { firstName: invited.first_name, merchant: merchant?.name ?? '', inviter: caller.name }
}
