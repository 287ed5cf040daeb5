import { ownWork } from '../turns/asker.ts'
import { createPace, type Pace } from '../turns/pace.ts'
import { createTurns } from '../turns/turns.ts'
import type { Clock } from '../clock/clock.ts'

/** For a turn. A burst of hundreds is taken in as it comes. */
const turnWaitMs = 10_000
const waitingPerMerchant = 500

/**
 * After its turn the server still has a long page to put together and to send, longer than the turn took. A page of
 * another shop meets that rarely only if it is rare; a hundred long pages at once then take up to twenty seconds. A whole
 * stock list takes the longest gaps: its text of megabytes is packed after its turn.
 */
const longLookGaps = { shortestMs: 40, perWaitingMs: 80, longestMs: 1_000, waitMs: 20_000 }

/**
 * The same of a write: what it changed is told to the streams, the marketplace and the counts after its turn. A hundred
 * that wait reach the longest gap, and the wait lets all of them keep it: a line that has waited longer leaves no gaps.
 */
const writeGaps = { perTurn: 8, shortestMs: 20, perWaitingMs: 0.5, longestMs: 80, waitMs: 8_000 }

/**
 * Connections are shared fairly. A merchant whose writers all wait for one row holds a third of them, and all merchants'
 * writers together leave some to the readers; the merchants' waiting calls are taken in turn. A crowd of writes, of
 * searches or of long pages leaves gaps, since it would keep the processor busy; a shop's usual pages leave none. The
 * system's writers leave some to the look-up of sessions too: while no standby follows, every commit waits. Their parties
 * are those that ask (`asker.ts`), and one of them leaves a place to the others (decision 0104).
 */
export function createConnectionTurns(
  { app, system }: { readonly app: number; readonly system: number },
  clock: Clock,
  pace: Pace = createPace(clock),
) {
  const share = (connections: number, part: number) => Math.max(1, Math.floor(connections * part))
  const waits = { waiting: waitingPerMerchant, waitMs: turnWaitMs }
  const ofSystem = share(system, 0.6)
  return {
    pace,
    // A screen that opens asks for all its parts at once, and is no crowd that others leave no gaps for.
    any: createTurns({ places: app, perKey: share(app, 0.6), crowdFrom: app * 2, ...waits }, clock, pace),
    writes: createTurns(
      { places: share(app, 0.6), perKey: share(app, 0.3), ...waits, leavesGaps: true, gaps: writeGaps },
      clock,
      pace,
    ),
    longLooks: createTurns(
      { places: share(app, 0.4), perKey: share(app, 0.1), ...waits, leavesGaps: true, gaps: longLookGaps },
      clock,
      pace,
    ),
    systemWrites: createTurns(
      { places: ofSystem, perKey: share(system, 0.4), first: ownWork, ...waits },
      clock,
    ),
    /** On a standby, which writes nothing. */
    systemLooks: createTurns({ places: system, perKey: system, ...waits }, clock),
  }
}
