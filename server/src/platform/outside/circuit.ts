import type { Clock } from '../clock/clock.ts'

const failuresToOpen = 5
const openMs = 30_000
const longestPauseMs = 60_000

export interface Circuit {
  /** Milliseconds until the next call makes sense; 0 lets this one call through. */
  tryPass(): number
  succeeded(): void
  /** The provider is in trouble. */
  failed(): void
  /** The provider asked for a pause of that length. */
  pause(ms: number): void
}

/**
 * Stops calling a provider that keeps failing, because calls would only wait. After a while one call tries again. The
 * reading only goes forwards: a pause must not grow when the machine's time of day is corrected.
 */
export function createCircuit({ readingMs: now }: Pick<Clock, 'readingMs'>): Circuit {
  let failures = 0
  let closedUntil = 0
  let pausedUntil = 0

  return {
    tryPass() {
      const at = now()
      const waitMs = Math.max(closedUntil, pausedUntil) - at
      if (waitMs > 0) return waitMs
      // This call is the one that tries; the others wait for its result.
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
