import type { Database } from '#platform/db/database.ts'
import { countTry, isSpent, type RateLimit } from '#platform/db/rate-limit.ts'
import { networkOf } from '#platform/http/network.ts'

const daySeconds = 86_400
const perNetworkAndDay = 20
const everywherePerHour = 500

/**
 * Some answers tell whether an e-mail has an account: the specification wants them (GAP-45). So they are counted, by
 * network and altogether, and once a budget is spent nothing is told any more (decision 0015).
 */
export interface AddressBudget {
  /** Before the look-up: what is told then is told to known and unknown addresses alike. */
  isSpent(): Promise<boolean>
  /** Counts one answer that tells; false when it was one too many, and must not be given. */
  spend(): Promise<boolean>
}

/** `asker` is a network, or somebody who has signed in. */
export function addressBudget(db: Database, asker: { network: string } | { person: string }): AddressBudget {
  const subject = 'network' in asker ? networkOf(asker.network) : `person ${asker.person}`
  const limits: RateLimit[] = [
    { name: 'addresses-told', subject, max: perNetworkAndDay, windowSeconds: daySeconds },
    { name: 'addresses-told', subject: 'everywhere', max: everywherePerHour, windowSeconds: 3_600 },
  ]
  return {
    async isSpent() {
      const spent = await Promise.all(limits.map((limit) => isSpent(db, limit)))
      return spent.includes(true)
    },
    async spend() {
      for (const limit of limits) if ((await countTry(db, limit)) !== undefined) return false
      return true
    },
  }
}
