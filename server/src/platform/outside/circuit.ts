const failuresToOpen = 5
const openMs = 30_000
const longestPauseMs = 60_000

export interface Circuit {
  /** Milliseconds until it is worth asking again; 0 lets this one call through. */
  tryPass(): number
  succeeded(): void
  /** The provider is in trouble. */
  failed(): void
  /** The provider wants to be left alone for that long. */
  pause(ms: number): void
}

/** Stops asking a provider that keeps failing: its calls would only wait. After a while one call tries whether it is back. */
export function createCircuit(now: () => number = Date.now): Circuit {
  let failures = 0
  let closedUntil = 0
  let pausedUntil = 0

  return {
    tryPass() {
      const at = now()
      const waitMs = Math.max(closedUntil, pausedUntil) - at
      if (waitMs > 0) return waitMs
      // This call is the one that tries; the others wait for how it goes.
      if (failures >= failuresToOpen) closedUntil = at + openMs
      return 0
    },
    succeeded() {
      failures = 0
      closedUntil = 0
    },
    failed() {
      failures += 1
      if (failures >= failuresToOpen) closedUntil = now() + openMs
    },
    pause(ms) {
      pausedUntil = now() + Math.min(ms, longestPauseMs)
    },
  }
}
