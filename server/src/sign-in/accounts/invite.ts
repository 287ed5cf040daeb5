import type { Statements } from '#platform/db/database.ts'
import { promiseMail, type Addressed } from '#platform/mail/outgoing.ts'
import { invitationLetter, type InvitationNames } from '../users/letters.ts'
import { issueOneTimeToken, passwordPage } from '../users/one-time-tokens.ts'

const invitationDays = 7

interface Invitation {
  readonly userId: string
  readonly names: InvitationNames
  readonly publicUrl: string
}

/** Promises a mail with a link that sets a first password. */
export async function promiseInvitation(
  statements: Statements,
  addressed: Addressed,
  { userId, names, publicUrl }: Invitation,
): Promise<void> {
  const token = await issueOneTimeToken(statements, {
    purpose: 'set_password',
    userId,
    seconds: invitationDays * 86_400,
  })
  const url = `${publicUrl}${passwordPage(token)}`
  await promiseMail(statements, addressed, invitationLetter(names, url, invitationDays))
}
