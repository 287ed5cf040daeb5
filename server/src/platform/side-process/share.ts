import type { Clock } from '../clock/clock.ts'

/** On a machine that is never idle, a patient process would not answer at all: silent for so long, it is given up. */
export const patienceMs = 2_000
/** So is one that had less than this share of the processor in such a time. A queue of long work is no reason. */
const leastShare = 0.25

/** How much of the processor a process has had. The time in which it has nothing to do, or is held, does not count. */
export interface Share {
  /** A process has started, and works. */
  start(): void
  leave(): void
  comeBack(): void
  /** `hadMs`: the processor time that the process has had since its start. */
  isStarved(hadMs: number): boolean
}

export function createShare(clock: Clock): Share {
  let counted = { atMs: 0, hadMs: 0 }
  let awaySinceMs: number | undefined

  return {
    start() {
      counted = { atMs: clock.readingMs(), hadMs: 0 }
      awaySinceMs = undefined
    },
    leave: () => void (awaySinceMs ??= clock.readingMs()),
    comeBack() {
      if (awaySinceMs === undefined) return
      counted = { ...counted, atMs: counted.atMs + clock.readingMs() - awaySinceMs }
      awaySinceMs = undefined
    },
    isStarved(hadMs) {
      const now = clock.readingMs()
      if (now - counted.atMs < patienceMs) return false
      const isStarved = hadMs - counted.hadMs < (now - counted.atMs) * leastShare
      if (!isStarved) counted = { atMs: now, hadMs }
      return isStarved
    },
  }
}
