import type { Statements } from '#platform/db/database.ts'
import type { Staff } from '#platform/http/caller.ts'
import { promiseMail, type Stationery } from '#platform/mail/outgoing.ts'
import { promiseInvitation, welcomeLetter, type UserRow } from '#sign-in/public.ts'

export interface InvitationMail {
  readonly invited: UserRow
  readonly publicUrl: string
  readonly stationery: Stationery
}

/** Mails a link that sets a password. A person who has a password only reads where to sign in. */
export async function mailInvitation(
  statements: Statements,
  caller: Staff,
  { invited, publicUrl, stationery }: InvitationMail,
): Promise<void> {
  const [merchant] = await statements.query<{ name: string }>(
    'select name from merchants where merchant_id = $1',
    [caller.merchantId],
  )
  const names = { firstName: invited.first_name, merchant: merchant?.name ?? '', inviter: caller.name }
  const addressed = { recipient: invited.email, merchantId: caller.merchantId, stationery }
  if (invited.password_hash !== null)
    return promiseMail(statements, addressed, welcomeLetter(names, `${publicUrl}/login`))
  return promiseInvitation(statements, addressed, { userId: invited.user_id, names, publicUrl })
}
