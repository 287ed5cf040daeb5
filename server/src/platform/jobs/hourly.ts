import type { Clock } from '../clock/clock.ts'
import { startWorker, type Worker } from './worker.ts'

const hourMs = 3_600_000
/** Spreads the work of processes that start together. */
const firstAfterMs = { least: 30_000, most: 120_000 }

/** Does the work soon after the start and then every hour. It must be harmless when other processes do it too. */
export function startHourly(
  clock: Clock,
  work: (isStopping: () => boolean) => Promise<void>,
  onError: (error: unknown) => void,
): Worker {
  const worker = startWorker({ clock, work, everyMs: hourMs, onError })
  const spread = firstAfterMs.most - firstAfterMs.least
  const first = clock.after(firstAfterMs.least + Math.random() * spread, worker.wake)
  return {
    wake: worker.wake,
    async stop() {
      first.stop()
      await worker.stop()
    },
  }
}
