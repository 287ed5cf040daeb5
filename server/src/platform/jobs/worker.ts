export interface Worker {
  /** Something may be due; the next look would find it anyway, this makes it sooner. */
  wake(): void
  /** Resolves when the round under way has ended. */
  stop(): Promise<void>
}

interface WorkerOptions {
  /** One round. What it leaves is for the next; it should end early once `isStopping`. */
  readonly work: (isStopping: () => boolean) => Promise<void>
  readonly everyMs: number
  readonly onError: (error: unknown) => void
}

/** Looks for work at intervals and when woken, one round at a time; a wake during a round is followed by another round. */
export function startWorker({ work, everyMs, onError }: WorkerOptions): Worker {
  let isStopped = false
  let isAskedAgain = false
  let working: Promise<void> | undefined
  const look = () => {
    if (isStopped) return
    isAskedAgain = working !== undefined
    working ??= work(() => isStopped)
      .catch((error: unknown) => (isStopped ? undefined : onError(error)))
      .finally(() => {
        working = undefined
        if (isAskedAgain) look()
      })
  }
  const timer = setInterval(look, everyMs)
  return {
    wake: look,
    async stop() {
      isStopped = true
      clearInterval(timer)
      await working
    },
  }
}
