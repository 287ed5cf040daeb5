export interface Worker {
  /** Something may be due. The next look would find it too, only later. */
  wake(): void
  /** Resolves when the round under way has ended. */
  stop(): Promise<void>
}

interface WorkerOptions {
  /** One round. The rest waits for the next round; it should end early once `isStopping`. */
  readonly work: (isStopping: () => boolean) => Promise<void>
  readonly everyMs: number
  readonly onError: (error: unknown) => void
}

/** Looks for work at intervals and on `wake`, one round at a time. A wake during a round causes another round. */
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
