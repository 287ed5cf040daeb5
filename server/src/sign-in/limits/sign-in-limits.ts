import type { Database } from '#platform/db/database.ts'
import { countTry, forgetTries, returnTry, type RateLimit } from '#platform/db/rate-limit.ts'
import { networkOf } from '#platform/http/network.ts'
import type { KnownOf } from './known-networks.ts'

const windowSeconds = 15 * 60
const failuresAllowed = 10
/** For an e-mail from all networks that only colleagues have made known. One of them may have made thousands known. */
const failuresOfShop = 20
/** Of all e-mails together, for a network from which nobody of the user's shop has signed in. */
const failuresOfNetwork = 100
/** NIST SP 800-63B: at most a hundred consecutive failures; then only a mailed link opens the account from elsewhere. */
const failuresInARow = 100
const longSeconds = 365 * 86_400

export interface SignInTry {
  readonly email: string
  readonly network: string
  /** Undefined when no account has that e-mail. */
  readonly userId: string | undefined
  readonly knownOf: KnownOf | undefined
}

const inARow = (email: string) => ({ name: 'sign-in-row', subject: email })
const ofShop = (email: string) => ({ name: 'sign-in-shop', subject: email })
const inARowOfShop = (email: string) => ({ name: 'sign-in-shop-row', subject: email })
const ofKnown = (email: string, network: string) => ({
  name: 'sign-in-known',
  subject: `${email} ${networkOf(network)}`,
})
const ofNetwork = (network: string): RateLimit => ({
  name: 'sign-in-network',
  subject: networkOf(network),
  max: failuresOfNetwork,
  windowSeconds,
})

/**
 * Ten failures within 15 minutes for an e-mail, from wherever (GAP-46). A known network has ten of its own for each
 * e-mail, so that guesses from elsewhere keep nobody out of their own shop. Those that only colleagues made known share
 * a limit. The other networks share one for each network; once that is spent, a stranger neither gets a password
 * checked nor leaves a row.
 */
function limitsOf({ email, network, userId, knownOf }: SignInTry): RateLimit[] {
  const known = { ...ofKnown(email, network), max: failuresAllowed, windowSeconds }
  if (knownOf === 'self') return [known]
  if (knownOf === 'shop')
    return [
      known,
      { ...ofShop(email), max: failuresOfShop, windowSeconds },
      { ...inARowOfShop(email), max: failuresInARow, windowSeconds: longSeconds },
    ]
  return [
    ofNetwork(network),
    { name: 'sign-in', subject: email, max: failuresAllowed, windowSeconds },
    // It is kept for a year, so nobody may fill the table with invented e-mails.
    ...(userId === undefined ? [] : [{ ...inARow(email), max: failuresInARow, windowSeconds: longSeconds }]),
  ]
}

/** Counted before the password is looked at, so that parallel guesses share the budget; answers the seconds to wait. */
export async function countSignIn(db: Database, attempt: SignInTry): Promise<number | undefined> {
  for (const limit of limitsOf(attempt)) {
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
  const { knownOf, network = '' } = attempt ?? {}
  const ended = [
    knownOf === undefined ? { name: 'sign-in', subject: email } : ofKnown(email, network),
    ...(knownOf === 'self' ? [] : [ofShop(email)]),
    inARow(email),
    inARowOfShop(email),
  ]
  await Promise.all(ended.map((limit) => forgetTries(db, limit)))
}

/** A try that opened a session was no failure of its network. */
export async function forgiveNetwork(db: Database, { knownOf, network }: SignInTry): Promise<void> {
  if (knownOf === undefined) await returnTry(db, ofNetwork(network))
}
