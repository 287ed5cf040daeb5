import { email as emailRule, firstProblem, required } from '@cellarhand/contract/validation'
import type { Database } from '#platform/db/database.ts'
import { countTry } from '#platform/db/rate-limit.ts'
import { networkOf } from '#platform/http/network.ts'
import { refuse, refuseInvalid } from '#platform/http/refuse.ts'
import { promiseMail, type Stationery } from '#platform/mail/outgoing.ts'
import { addressBudget } from '../limits/address-budget.ts'
import { resetLetter, resetMinutes } from '../users/letters.ts'
import { issueOneTimeToken } from '../users/one-time-tokens.ts'
import { emailKey, userColumns, type UserRow } from '../users/user-record.ts'

const hourSeconds = 3_600
const perAddress = 5
const perNetwork = 20
/** Longer than the work for a known address, so that the time of a neutral answer reveals nothing. */
const silentAnswerMs = 250

export interface ResetRequest {
  readonly email: string
  /** The caller's network, for the budget of GAP-45. */
  readonly network: string
  readonly publicUrl: string
  readonly stationery: Stationery
}

/** By specification this call reveals whether an address is known, so its number is limited (GAP-45). */
export async function requestPasswordReset(db: Database, request: ResetRequest): Promise<void> {
  const { email, network } = request
  refuseInvalid({ email: firstProblem(email.trim(), [required('email'), emailRule]) })
  const waits = [
    await countTry(db, {
      name: 'reset-network',
      subject: networkOf(network),
      max: perNetwork,
      windowSeconds: hourSeconds,
    }),
    await countTry(db, {
      name: 'reset-address',
      subject: emailKey(email),
      max: perAddress,
      windowSeconds: hourSeconds,
    }),
  ]
  const wait = waits.find((seconds) => seconds !== undefined)
  if (wait !== undefined) refuse('too_many_requests', { retryAfterSeconds: wait })

  const budget = addressBudget(db, { network })
  if (await budget.isSpent()) {
    await Promise.all([mailLink(db, request), new Promise((resolve) => setTimeout(resolve, silentAnswerMs))])
    return
  }
  const isKnown = await mailLink(db, request)
  if (!isKnown && (await budget.spend())) refuse('email_unknown')
}

/** False when no account has that e-mail. */
async function mailLink(db: Database, { email, publicUrl, stationery }: ResetRequest): Promise<boolean> {
  return db.system(async (statements) => {
    const [row] = await statements.query<UserRow>(
      `select ${userColumns} from users where email_key = $1 for no key update`,
      [emailKey(email)],
    )
    if (row === undefined) return false
    const token = await issueOneTimeToken(statements, {
      purpose: 'set_password',
      userId: row.user_id,
      seconds: resetMinutes * 60,
    })
    const letter = resetLetter(
      row.first_name,
      `${publicUrl}/forgot/password-reset/${token}`,
      stationery.product,
    )
    await promiseMail(statements, { recipient: row.email, merchantId: row.merchant_id, stationery }, letter)
    return true
  })
}
