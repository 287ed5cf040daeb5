import type { Clock, Timer } from '../clock/clock.ts'

/** On a machine that is never idle, a patient process would not answer at all: silent for so long, it is given up. */
const patienceMs = 2_000
/** So is one that had less than this share of the processor in such a time. A queue of long work is no reason. */
const leastShare = 0.25

/** Watches whether a process gets the processor. The time in which it has nothing to do, or is held, does not count. */
export interface Patience {
  /** A process has started, and works. */
  start(): void
  leave(): void
  comeBack(): void
  /** A sign of life. `hadMs`: the processor time that the process has had since its start. */
  hear(hadMs: number): void
}

export function createPatience(clock: Clock, giveUp: () => void): Patience {
  /** Undefined while it does not count. */
  let sinceMs: number | undefined
  let silentMs = 0
  let counted = { workedMs: 0, hadMs: 0 }
  let end: Timer | undefined

  function count(): void {
    end?.stop()
    if (sinceMs === undefined) return
    const now = clock.readingMs()
    silentMs += now - sinceMs
    counted = { ...counted, workedMs: counted.workedMs + now - sinceMs }
    sinceMs = now
  }

  function watch(): void {
    if (sinceMs !== undefined) end = clock.after(patienceMs - silentMs, giveUp)
  }

  return {
    start() {
      count()
      sinceMs = clock.readingMs()
      silentMs = 0
      counted = { workedMs: 0, hadMs: 0 }
      watch()
    },
    leave() {
      count()
      sinceMs = undefined
    },
    comeBack() {
      if (sinceMs !== undefined) return
      sinceMs = clock.readingMs()
      watch()
    },
    hear(hadMs) {
      count()
      silentMs = 0
      watch()
      if (counted.workedMs < patienceMs) return
      const isStarved = hadMs - counted.hadMs < counted.workedMs * leastShare
      counted = { workedMs: 0, hadMs }
      if (isStarved) giveUp()
    },
  }
}
