import type { Clock } from '#platform/clock/clock.ts'
import { systemClock } from '#platform/clock/system-clock.ts'
import { networkOf, siteOf } from '#platform/http/network.ts'
import { Refused } from '#platform/http/refuse.ts'
import { createFairTurns } from '../users/fair-turns.ts'

/** A caller who is refused at once comes back at once, and hundreds of those alone keep the server busy. */
const refusedWaitsMs = 2_000
const remembered = 5_000

/** Looking at a try costs the database some statements, so a flood of them takes turns like the passwords. */
const turns = createFairTurns({ atOnce: 2, perLane: 60, inAll: 500, deadlineMs: 5_000 }, systemClock)
/** The people who signed in here lately; a flood from the same network does not come before them. */
const signedIn = new Set<string>()

interface Comer {
  readonly email: string
  readonly network: string
}

const nameOf = ({ email, network }: Comer) => `${email} ${networkOf(network)}`

export async function throughDoorway<T>(
  comer: Comer & { readonly clock: Clock },
  look: () => Promise<T>,
): Promise<T> {
  const isKnown = signedIn.has(nameOf(comer))
  try {
    return await turns.inTurn({ lane: siteOf(comer.network), isKnown }, look)
  } catch (error) {
    if (error instanceof Refused && !isKnown) await comer.clock.sleep(refusedWaitsMs)
    throw error
  }
}

export function rememberComer(comer: Comer): void {
  const name = nameOf(comer)
  signedIn.delete(name)
  signedIn.add(name)
  if (signedIn.size > remembered) signedIn.delete(signedIn.values().next().value ?? '')
}
