import type { Database } from '#platform/db/database.ts'
import { emailKey } from '../users/user-record.ts'
import { withinLimits } from './within-limits.ts'

const daySeconds = 86_400
const perAddress = 10
/** More than any shop takes on in a day. An address has as many spellings as its owner likes. */
const perShop = 200

/**
 * Counts a mail that invites somebody, and refuses one too many: an invitation that is taken back and made anew must
 * not flood a mailbox. One shop's mails cost no other shop any, and an invitation that fails costs none.
 */
export async function withinInvitationLimit<T>(
  db: Database,
  { merchantId, email }: { merchantId: string; email: string },
  invite: () => Promise<T>,
): Promise<T> {
  const day = { name: 'invitations', windowSeconds: daySeconds }
  const limits = [
    { ...day, subject: `${merchantId} ${emailKey(email)}`, max: perAddress },
    { ...day, subject: merchantId, max: perShop },
  ]
  return withinLimits(db, limits, invite)
}
