import { createHash } from 'node:crypto'
import type { Database, Statements } from '#platform/db/database.ts'
import { countTry, forgetTries, type RateLimit } from '#platform/db/rate-limit.ts'
import { networkOf } from '#platform/http/network.ts'

const windowSeconds = 15 * 60
const failuresAllowed = 10
/** NIST SP 800-63B: at most a hundred consecutive failures; then only a mailed link opens the account from elsewhere. */
const failuresInARow = 100
const longSeconds = 365 * 86_400

export interface SignInTry {
  readonly email: string
  readonly network: string
  /** Undefined when nobody has that e-mail. */
  readonly userId: string | undefined
}

function hashOf(userId: string, network: string): string {
  return createHash('sha256')
    .update(`${userId} ${networkOf(network)}`)
    .digest('base64url')
}

/**
 * Ten failures within 15 minutes for an e-mail, from wherever (GAP-46). A network from which its owner has signed in
 * before has ten of its own, so that guesses from elsewhere keep nobody out of their own shop.
 */
function limitsOf({ email, network }: SignInTry, isKnownNetwork: boolean): RateLimit[] {
  if (isKnownNetwork)
    return [
      {
        name: 'sign-in-known',
        subject: `${email} ${networkOf(network)}`,
        max: failuresAllowed,
        windowSeconds,
      },
    ]
  return [
    { name: 'sign-in', subject: email, max: failuresAllowed, windowSeconds },
    { name: 'sign-in-row', subject: email, max: failuresInARow, windowSeconds: longSeconds },
  ]
}

async function isKnown(db: Database, { userId, network }: SignInTry): Promise<boolean> {
  // Asked for nobody too, so that the time taken is the same.
  const rows = await db.systemQuery('select 1 from known_networks where user_id = $1 and network_hash = $2', [
    userId ?? 'nobody',
    hashOf(userId ?? 'nobody', network),
  ])
  return rows.length > 0
}

/** Counted before the password is looked at, so that parallel guesses share the budget; answers the seconds to wait. */
export async function countSignIn(db: Database, attempt: SignInTry): Promise<number | undefined> {
  const limits = limitsOf(attempt, await isKnown(db, attempt))
  for (const limit of limits) {
    const waitSeconds = await countTry(db, limit)
    // Of the long one only that it is spent is told: waiting it out is not what to do.
    if (waitSeconds !== undefined) return Math.min(waitSeconds, windowSeconds)
  }
  return undefined
}

/**
 * After the right password from where the try came from; after a new password from anywhere. A sign-in from a known
 * network opens no new ten to who guesses from elsewhere.
 */
export async function forgetFailures(db: Database, email: string, attempt?: SignInTry): Promise<void> {
  const isFromKnown = attempt !== undefined && (await isKnown(db, attempt))
  const ended = isFromKnown
    ? { name: 'sign-in-known', subject: `${email} ${networkOf(attempt.network)}` }
    : { name: 'sign-in', subject: email }
  await Promise.all([ended, { name: 'sign-in-row', subject: email }].map((limit) => forgetTries(db, limit)))
}

export async function rememberNetwork({ query }: Statements, userId: string, network: string): Promise<void> {
  await query(
    `insert into known_networks (user_id, network_hash) values ($1, $2)
     on conflict (user_id, network_hash) do update set seen_at = now()`,
    [userId, hashOf(userId, network)],
  )
}
