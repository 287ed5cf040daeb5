import type { Database } from '#platform/db/database.ts'
import { countTry } from '#platform/db/rate-limit.ts'
import { networkOf } from '#platform/http/network.ts'

const windowSeconds = 15 * 60
/** Of one offer: a household and the programs that look at its messages stay far below. */
const visitsOfOffer = 100
/** Links that this server has not signed, from one network: guesses, and a few from before a move or a new secret. */
const badLinks = 30

/** Answers whether there were too many. Bad links of a network never keep a customer with a good one out. */
export async function countVisit(
  db: Database,
  { offerId, address }: { offerId: string | undefined; address: string },
): Promise<boolean> {
  const wait = await countTry(
    db,
    offerId === undefined
      ? { name: 'substitutes-bad-link', subject: networkOf(address), max: badLinks, windowSeconds }
      : { name: 'substitutes-visit', subject: offerId, max: visitsOfOffer, windowSeconds },
  )
  return wait !== undefined
}
