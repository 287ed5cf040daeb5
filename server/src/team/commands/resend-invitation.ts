import { countTry } from '#platform/db/rate-limit.ts'
import type { Staff } from '#platform/http/caller.ts'
import { refuse } from '#platform/http/refuse.ts'
import { lockColleague, requireOwner } from '../colleague.ts'
import { mailInvitation } from '../invitation-mail.ts'
import { toTeamUser } from '../reads.ts'
import type { InvitationDeps } from './invite-user.ts'

const perHour = 5

/** A few an hour, so that the mails do not flood a mailbox. */
export async function resendInvitation(
  { db, publicUrl, stationery }: InvitationDeps,
  caller: Staff,
  userId: string,
) {
  const waitSeconds = await countTry(db, {
    name: 'invitation',
    subject: `${caller.merchantId} ${userId}`,
    max: perHour,
    windowSeconds: 3_600,
  })
  if (waitSeconds !== undefined) refuse('too_many_requests', { retryAfterSeconds: waitSeconds })
  return db.system(async (statements) => {
    const invited = await lockColleague(statements, caller, userId)
    await requireOwner(statements, caller)
    if (invited.password_hash !== null) refuse('invitation_accepted')
    await mailInvitation(statements, caller, { invited, publicUrl, stationery })
    return toTeamUser(invited)
  })
}
