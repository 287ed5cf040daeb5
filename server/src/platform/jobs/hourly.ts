import type { Clock } from '../clock/clock.ts'
import { startWorker, type Worker } from './worker.ts'

const hourMs = 3_600_000
/** Spreads the work of processes that start together. */
const firstAfterMs = { least: 30_000, most: 120_000 }

type Work = (isStopping: () => boolean) => Promise<unknown>

/**
 * Does the works soon after the start and then every hour. They must be harmless when other processes do them too. One
 * that fails, as while the file store is away, keeps none of the others from being done.
 */
export function startHourly(clock: Clock, works: readonly Work[], onError: (error: unknown) => void): Worker {
  const work = async (isStopping: () => boolean) => {
    for (const each of works) if (!isStopping()) await each(isStopping).catch(onError)
  }
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
