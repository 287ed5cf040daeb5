import type { Timer } from '../clock/clock.ts'
import { systemClock } from '../clock/system-clock.ts'

/** Often enough that its process is heard while it waits for the end of long work. */
const beatMs = 250

/**
 * The other end of a process of ours. While it works it says now and then how much of the processor it had, in
 * milliseconds since its start.
 */
export function answerQuestions(work: (task: never) => Promise<unknown>): void {
  let open = 0
  let beat: Timer | undefined
  const tell = (message: object) => {
    const { user, system } = process.cpuUsage()
    process.send?.({ ...message, hadMs: (user + system) / 1000 })
  }
  process.on('message', ({ id, task }: { id: number; task: never }) => {
    open++
    beat ??= systemClock.every(beatMs, () => tell({}))
    work(task)
      .then(
        (result) => tell({ id, result }),
        (error: unknown) => tell({ id, error: error instanceof Error ? error.message : String(error) }),
      )
      .finally(() => {
        if (--open > 0) return
        beat?.stop()
        beat = undefined
      })
  })
}
