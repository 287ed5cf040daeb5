const hourMs = 3_600_000
/** Spreads the work of processes that start together. */
const firstAfterMs = { least: 30_000, most: 120_000 }

export interface HourlyWork {
  stop(): Promise<void>
}

/** Does the work soon after the start and then every hour. Other processes may do it at the same time. */
export function startHourly(
  work: (isStopping: () => boolean) => Promise<void>,
  onError: (error: unknown) => void,
): HourlyWork {
  let isStopped = false
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  function plan(waitMs: number): void {
    timer = setTimeout(() => {
      running = work(() => isStopped)
        .catch(onError)
        .finally(() => {
          if (!isStopped) plan(hourMs)
        })
    }, waitMs)
  }
  plan(firstAfterMs.least + Math.random() * (firstAfterMs.most - firstAfterMs.least))

  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
