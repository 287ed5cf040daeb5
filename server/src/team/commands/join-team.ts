import type { Statements } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import { hashOf, joinMerchant, userColumns, type UserRow } from '#sign-in/public.ts'
import type { Invitation } from '../invitations.ts'

export const askForInvitation = 'Please ask the shop to send the invitation again.'
const withoutAccount = (email: string) =>
  `This invitation is for the address ${email}, and there is no confirmed account with it here. ${askForInvitation}`

/**
 * Puts the person who followed the mailed link into the team. The link belongs to the address, so it works only while
 * the account has that address and has proven it. Of several shops' links the first wins.
 */
export async function joinTeam(statements: Statements, token: string): Promise<Record<string, never>> {
  const [asked] = await statements.query<{ merchant_id: string; email_key: string }>(
    'select merchant_id, email_key from team_invitations where token_hash = $1',
    [hashOf(token)],
  )
  if (asked === undefined) return refuse('bad_invitation')
  const { merchant_id: merchantId, email_key } = asked
  const [user] = await statements.query<UserRow>(
    `select ${userColumns} from users where email_key = $1 and email_proven_at is not null for no key update`,
    [email_key],
  )
  // Changes of the team hold the merchant, so none of them sees half of this one.
  await statements.query('select 1 from merchants where merchant_id = $1 for no key update', [merchantId])
  const [invitation] = await statements.query<Invitation & { is_over: boolean }>(
    `delete from team_invitations where token_hash = $1
     returning email, first_name, last_name, roles, expires_at <= now() as is_over`,
    [hashOf(token)],
  )
  if (invitation === undefined) return refuse('bad_invitation')
  if (invitation.is_over) return refuse('invitation_expired')
  // It has another address since, or the shop has moved here without it: an account belongs to its cell.
  if (user === undefined) return refuse('bad_invitation', { message: withoutAccount(invitation.email) })
  if (user.merchant_id !== null) return refuse('has_merchant')
  await joinMerchant(statements, user, { merchantId, ...invitation })
  return {}
}
