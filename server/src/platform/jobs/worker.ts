export interface Worker {
  /** Something may be due. The next look would find it too, only later. */
  wake(): void
  /** Resolves when the round under way has ended. */
  stop(): Promise<void>
}

interface WorkerOptions {
  /** One round. It should end early once `isStopping`. It may answer in how many milliseconds to look again. */
  readonly work: (isStopping: () => boolean) => Promise<number | undefined | void>
  readonly everyMs: number
  readonly onError: (error: unknown) => void
}

/** Looks for work at intervals and on `wake`, one round at a time. A wake during a round causes another round. */
export function startWorker({ work, everyMs, onError }: WorkerOptions): Worker {
  let isStopped = false
  let isAskedAgain = false
  let working: Promise<void> | undefined
  let sooner: NodeJS.Timeout | undefined
  const round = async () => {
    try {
      const againMs = await work(() => isStopped)
      if (againMs !== undefined && !isStopped) sooner = setTimeout(look, againMs)
    } catch (error) {
      if (!isStopped) onError(error)
    }
  }
  const look = () => {
    if (isStopped) return
    isAskedAgain = working !== undefined
    if (isAskedAgain) return
    clearTimeout(sooner)
    working = round().finally(() => {
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
      clearTimeout(sooner)
      await working
    },
  }
}
