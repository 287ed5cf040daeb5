import type { Clock } from '../clock/clock.ts'
import { createTurns, NoTurn } from './turns.ts'

/** Of one call, for one network. The screens of a shop ask for more at once only for a moment, and then wait for it. */
const atOnce = 20
const waiting = 500
const waitMs = 10_000
/** A caller who is refused at once comes back at once, and hundreds of those alone keep the server busy. */
const refusedWaitsMs = 2_000

/**
 * The line before the calls that anybody may make. A flood of one call from one network waits for itself: neither other
 * networks nor the other calls of its own network notice it.
 */
export function createOpenCalls(clock: Clock) {
  const turns = createTurns({ places: Infinity, perKey: atOnce, waiting, waitMs }, clock)
  return async function inLine<T>(place: string, work: () => Promise<T>): Promise<T> {
    try {
      return await turns.run(place, work)
    } catch (error) {
      if (error instanceof NoTurn) await clock.sleep(refusedWaitsMs)
      throw error
    }
  }
}

export type InLine = ReturnType<typeof createOpenCalls>
