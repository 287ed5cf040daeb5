import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from './clock.ts'

/** The machine's clock. Only programs use it themselves; they hand it to everything else. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  readingMs: () => performance.now(),
  sleep: (ms, signal) => sleep(ms, undefined, { signal }),
  after(ms, call) {
    const timer = setTimeout(call, ms).unref()
    return { stop: () => clearTimeout(timer) }
  },
  every(ms, call) {
    const timer = setInterval(call, ms).unref()
    return { stop: () => clearInterval(timer) }
  },
  limit: (ms) => AbortSignal.timeout(ms),
}
