import type { Clock } from '../clock/clock.ts'

export interface Gaps {
  /** For so long after its last call a party counts as there, and after its last crowd as a crowd. */
  readonly thereMs: number
  /** A gap is some times as long as the call before it. */
  readonly perTurn: number
  readonly shortestMs: number
  /** It is so much longer for each that waits, so that the largest crowds leave the most room. */
  readonly perWaitingMs: number
  /** Also the longest that one call of a crowd holds up the next, so that one that waits for a lock stops no other. */
  readonly longestMs: number
  /** No gap costs a call its turn: so much more of a crowd waits, and for so much longer, and then the gaps end. */
  readonly waiting: number
  readonly waitMs: number
}

const usual: Gaps = {
  thereMs: 1_000,
  perTurn: 4,
  shortestMs: 10,
  perWaitingMs: 0,
  longestMs: 50,
  waiting: 250,
  waitMs: 4_000,
}

/** The merchants that are there, and those of them that crowd. Turns of one process share it. */
export interface Pace {
  readonly gaps: Gaps
  /** The party asks for more at once than its share. */
  crowds(key: string): void
  /** The party has a turn. */
  served(key: string): void
  /** Whether another party is there that does not crowd. */
  isBesideOthers(key: string): boolean
}

export function createPace(clock: Clock, gaps: Gaps = usual): Pace {
  const crowdedMs = new Map<string, number>()
  /** The two that were served last without crowding: one of them is another than the one that asks. */
  let last = { key: '', ms: -Infinity }
  let before = last
  const isOver = (ms: number) => ms < clock.readingMs() - gaps.thereMs

  function isCrowd(key: string): boolean {
    if (isOver(crowdedMs.get(key) ?? -Infinity)) crowdedMs.delete(key)
    return crowdedMs.has(key)
  }

  return {
    gaps,
    crowds(key) {
      // The oldest come first. Keys that never come again must not fill the memory.
      for (const [old, ms] of crowdedMs) {
        if (!isOver(ms)) break
        crowdedMs.delete(old)
      }
      crowdedMs.delete(key)
      crowdedMs.set(key, clock.readingMs())
    },
    served(key) {
      if (isCrowd(key)) return
      if (last.key !== key) before = last
      last = { key, ms: clock.readingMs() }
    },
    isBesideOthers: (key) =>
      [last, before].some((other) => other.key !== key && !isOver(other.ms) && !isCrowd(other.key)),
  }
}
