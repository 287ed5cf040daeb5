import { email as emailRule, firstProblem, required } from '@cellarhand/contract/validation'
import type { Database } from '#platform/db/database.ts'
import { countTry } from '#platform/db/rate-limit.ts'
import { refuse, refuseInvalid } from '#platform/http/refuse.ts'
import { promiseMail, type Stationery } from '#platform/mail/outgoing.ts'
import { resetLetter, resetMinutes } from '../letters.ts'
import { issueOneTimeToken } from '../one-time-tokens.ts'
import { emailKey, userColumns, type UserRow } from '../user-record.ts'

const hourSeconds = 3_600
const perAddress = 5
const perNetwork = 20

export interface ResetRequest {
  readonly email: string
  /** Where the request came from, for the budget of GAP-45. */
  readonly network: string
  readonly publicUrl: string
  readonly stationery: Stationery
}

/** Whoever has one address of IPv6 has its whole /64 (18 quintillion of them), so the /64 counts as one. */
function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address
  const [head = '', tail] = address.split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail === undefined || tail === '' ? [] : tail.split(':')
  const groups = [...first, ...Array.from({ length: 8 - first.length - last.length }, () => '0'), ...last]
  return groups.slice(0, 4).join(':')
}

/** The specification lets this call tell whether an address is known, so how often one may ask is limited (GAP-45). */
export async function requestPasswordReset(
  db: Database,
  { email, network, publicUrl, stationery }: ResetRequest,
): Promise<void> {
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

  await db.system(async (statements) => {
    const [row] = await statements.query<UserRow>(
      `select ${userColumns} from users where email_key = $1 for no key update`,
      [emailKey(email)],
    )
    if (row === undefined) return refuse('email_unknown')
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
  })
}
