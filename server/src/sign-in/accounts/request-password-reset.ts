import { email as emailRule, firstProblem, required } from '@cellarhand/contract/validation'
import { findClosedMerchant, requireOpen } from '#platform/db/closed-merchant.ts'
import type { Database } from '#platform/db/database.ts'
import { countTry, type RateLimit } from '#platform/db/rate-limit.ts'
import { networkOf } from '#platform/http/network.ts'
import { refuse, refuseInvalid } from '#platform/http/refuse.ts'
import { promiseMail, type Stationery } from '#platform/mail/outgoing.ts'
import { addressBudget } from '../limits/address-budget.ts'
import { knownNetworkOf, networkDigest } from '../limits/known-networks.ts'
import { resetLetter, resetMinutes } from '../users/letters.ts'
import { issueOneTimeToken, passwordPage } from '../users/one-time-tokens.ts'
import { emailKey, userColumns, type UserRow } from '../users/user-record.ts'

const hourSeconds = 3_600
const perAddress = 5
const perNetwork = 20
/** Half as long as a link lives, so that who gets no more mail always has a link with half its time left. */
const mailboxLimit = { name: 'reset-mailbox', max: 20, windowSeconds: (resetMinutes * 60) / 2 }
/** Longer than the work for a known address takes, so that the time of an answer that tells nothing tells nothing. */
const silentAnswerMs = 250

export interface ResetRequest {
  readonly email: string
  /** The caller's network, for the budget of GAP-45. */
  readonly network: string
  readonly publicUrl: string
  readonly stationery: Stationery
}

/**
 * The specification lets this call tell whether an address is known, so how often one may ask is limited (GAP-45).
 * The limits of a network are its own, and a stranger's requests close nobody else's. From strange networks together
 * a mailbox gets twenty mails in half an hour, and from all networks together if nobody has proven it. After that they
 * are answered alike and nothing is mailed; the links in the mailbox still work.
 */
export async function requestPasswordReset(db: Database, request: ResetRequest): Promise<void> {
  const { email, network } = request
  refuseInvalid({ email: firstProblem(email.trim(), [required('email'), emailRule]) })
  const [user] = await db.systemQuery<{ user_id: string; is_proven: boolean }>(
    'select user_id, email_proven_at is not null as is_proven from users where email_key = $1',
    [emailKey(email)],
  )
  const isKnown = (await knownNetworkOf(db, { userId: user?.user_id, network })) !== undefined
  for (const limit of limitsOf(request, isKnown)) {
    const waitSeconds = await countTry(db, limit)
    if (waitSeconds !== undefined) refuse('too_many_requests', { retryAfterSeconds: waitSeconds })
  }
  // The networks of an account that a stranger made with somebody else's address are the stranger's.
  const isOwners = isKnown && user?.is_proven === true
  const isFull =
    !isOwners && (await countTry(db, { ...mailboxLimit, subject: emailKey(email) })) !== undefined
  const budget = addressBudget(db, { network })
  if (isFull || (await budget.isSpent())) {
    const silence = db.clock.sleep(silentAnswerMs)
    await Promise.all([isFull ? undefined : mailLink(db, request).catch(unlessClosed), silence])
    return
  }
  const wasMailed = await mailLink(db, request)
  if (!wasMailed && (await budget.spend())) refuse('email_unknown')
}

/** A refusal would tell that the address is known. */
function unlessClosed(error: unknown): void {
  if (findClosedMerchant(error) === undefined) throw error
}

function limitsOf({ email, network }: ResetRequest, isKnown: boolean): RateLimit[] {
  const own = {
    name: 'reset-address',
    subject: `${emailKey(email)} ${networkOf(network)}`,
    max: perAddress,
    windowSeconds: hourSeconds,
  }
  const shared = {
    name: 'reset-network',
    subject: networkOf(network),
    max: perNetwork,
    windowSeconds: hourSeconds,
  }
  return isKnown ? [own] : [shared, own]
}

/** False when nobody has that e-mail. Refuses where the person's merchant is closed. */
async function mailLink(
  db: Database,
  { email, network, publicUrl, stationery }: ResetRequest,
): Promise<boolean> {
  return db.system(async (statements) => {
    const [row] = await statements.query<UserRow>(
      `select ${userColumns} from users where email_key = $1 for no key update`,
      [emailKey(email)],
    )
    if (row === undefined) return false
    // Its mails wait, and after its move for ever.
    if (row.merchant_id !== null) await requireOpen(statements, row.merchant_id)
    const token = await issueOneTimeToken(statements, {
      purpose: 'set_password',
      userId: row.user_id,
      seconds: resetMinutes * 60,
      askedFrom: networkDigest(row.user_id, network),
    })
    const letter = resetLetter(row.first_name, `${publicUrl}${passwordPage(token)}`, stationery.product)
    const addressed = { recipient: row.email, merchantId: row.merchant_id, stationery, isAwaited: true }
    await promiseMail(statements, addressed, letter)
    return true
  })
}
