import type { Clock, Timer } from '../clock/clock.ts'
import { asServer } from '../turns/asker.ts'

export interface Worker {
  /** Something may be due. The next look would find it too, only later. */
  wake(): void
  /** Resolves when the round under way has ended. */
  stop(): Promise<void>
}

interface WorkerOptions {
  readonly clock: Clock
  /** One round. It should end early once `isStopping`. It may answer in how many milliseconds to look again. */
  readonly work: (isStopping: () => boolean) => Promise<number | undefined | void>
  readonly everyMs: number
  readonly onError: (error: unknown) => void
}

/** Looks for work at intervals and on `wake`, one round at a time. A wake during a round causes another round. */
export function startWorker({ clock, work, everyMs, onError }: WorkerOptions): Worker {
  let isStopped = false
  let isAskedAgain = false
  let working: Promise<void> | undefined
  let sooner: Timer | undefined
  const round = async () => {
    try {
      const againMs = await work(() => isStopped)
      if (againMs !== undefined && !isStopped) sooner = clock.after(againMs, look)
    } catch (error) {
      if (!isStopped) onError(error)
    }
  }
  const beginRound = () => {
    sooner?.stop()
    working = round().finally(() => {
      working = undefined
      if (isAskedAgain) look()
    })
  }
  const look = () => {
    if (isStopped) return
    isAskedAgain = working !== undefined
    // A call may wake the worker, and the round still works for all shops.
    if (!isAskedAgain) asServer(beginRound)
  }
  const timer = clock.every(everyMs, look)
  return {
    wake: look,
    async stop() {
      isStopped = true
      timer.stop()
      sooner?.stop()
      await working
    },
  }
}
