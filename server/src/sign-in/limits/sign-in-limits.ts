import { createHash } from 'node:crypto'
import type { Database, Statements } from '#platform/db/database.ts'
import { countTry, forgetTries, type RateLimit } from '#platform/db/rate-limit.ts'
import { networkOf } from '#platform/http/network.ts'

const windowSeconds = 15 * 60
const failuresAllowed = 10
/** NIST SP 800-63B: at most 100 failures in a row. After that, an unknown network needs a mailed link. */
const failuresInARow = 100
const longSeconds = 365 * 86_400

export interface SignInTry {
  readonly email: string
  readonly network: string
  /** Undefined when no account has that e-mail. */
  readonly userId: string | undefined
}

function hashOf(userId: string, network: string): string {
  return createHash('sha256')
    .update(`${userId} ${networkOf(network)}`)
    .digest('base64url')
}

/**
 * Ten failures within 15 minutes for an e-mail, from all networks together (GAP-46). A network from which its owner has
 * signed in before has ten of its own, so that guesses from elsewhere lock nobody out.
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
  // Queried for an unknown e-mail too, so that the time taken is the same.
  const rows = await db.systemQuery('select 1 from known_networks where user_id = $1 and network_hash = $2', [
    userId ?? 'nobody',
    hashOf(userId ?? 'nobody', network),
  ])
  return rows.length > 0
}

/** Counts before the password check, so that parallel guesses share the budget; returns the seconds to wait. */
export async function countSignIn(db: Database, attempt: SignInTry): Promise<number | undefined> {
  const limits = limitsOf(attempt, await isKnown(db, attempt))
  for (const limit of limits) {
    const waitSeconds = await countTry(db, limit)
    // The long limit only says that it is spent: waiting for it to end is no solution.
    if (waitSeconds !== undefined) return Math.min(waitSeconds, windowSeconds)
  }
  return undefined
}

/**
 * Clears the count: after the right password, for the network of the try; after a new password, for all. A sign-in from
 * a known network gives no new ten tries to guesses from elsewhere.
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
