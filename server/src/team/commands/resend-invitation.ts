import { countTry } from '#platform/db/rate-limit.ts'
import type { Staff } from '#platform/http/caller.ts'
import { refuse } from '#platform/http/refuse.ts'
import { lockColleague, requireOwner } from '../colleague.ts'
import { mailInvitation } from '../invitation-mail.ts'
import { findInvitation } from '../invitations.ts'
import { findInvitedAddress, toTeamUser } from '../reads.ts'
import { invite, rationed, type InvitationDeps } from './invite-user.ts'

const perHour = 5

/** A few an hour, so that the mails do not flood a mailbox. */
export async function resendInvitation({ db, ...letterhead }: InvitationDeps, caller: Staff, userId: string) {
  const waitSeconds = await countTry(db, {
    name: 'invitation',
    subject: `${caller.merchantId} ${userId}`,
    max: perHour,
    windowSeconds: 3_600,
  })
  if (waitSeconds !== undefined) refuse('too_many_requests', { retryAfterSeconds: waitSeconds })
  // Where nobody waits for an answer, the work below refuses, and its try is given back.
  const email = (await findInvitedAddress(db, caller.merchantId, userId)) ?? userId
  const row = await rationed(db, { caller, email }, async (statements) => {
    const waiting = await findInvitation(statements, caller.merchantId, userId)
    // The account may have changed since, so the address is invited anew.
    if (waiting !== undefined)
      return invite(statements, letterhead, { caller, invitation: waiting, earlier: userId })
    const invited = await lockColleague(statements, caller, userId)
    await requireOwner(statements, caller)
    if (invited.password_hash !== null) refuse('invitation_accepted')
    await mailInvitation(statements, caller, { ...letterhead, invited })
    return invited
  })
  return toTeamUser(row)
}
