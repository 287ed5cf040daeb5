import type { Database } from '#platform/db/database.ts'
import { countTry, isSpent, type RateLimit } from '#platform/db/rate-limit.ts'
import { networkOf } from '#platform/http/network.ts'

const daySeconds = 86_400
const perNetworkAndDay = 20
const everywherePerHour = 500

/**
 * By specification, some answers reveal whether an e-mail has an account (GAP-45). So the server counts them, per
 * network and in total. Once a budget is spent, it reveals nothing more (decision 0015).
 */
export interface AddressBudget {
  /** Checked before the look-up, so that the refusal is the same for known and unknown addresses. */
  isSpent(): Promise<boolean>
  /** Counts one revealing answer; false when it is one too many and must not be given. */
  spend(): Promise<boolean>
}

/** `asker` is a network or a signed-in person. */
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
