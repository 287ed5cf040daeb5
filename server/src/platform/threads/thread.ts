import { Worker } from 'node:worker_threads'
import type { Clock, Timer } from '../clock/clock.ts'

export interface Thread {
  /** The answer of the thread's program; fails with its error, or when it takes too long. */
  ask<T>(task: unknown): Promise<T>
  stop(): Promise<void>
}

interface Pending {
  readonly resolve: (answer: never) => void
  readonly reject: (error: unknown) => void
  readonly timer: Timer
}

interface Answer {
  readonly id: number
  readonly result?: never
  readonly error?: string
}

/** A program in its own thread, for work that would block requests. The first question starts it. */
export function createThread(program: URL, { waitMs, clock }: { waitMs: number; clock: Clock }): Thread {
  let worker: Worker | undefined
  let lastId = 0
  const pending = new Map<number, Pending>()

  function settle(id: number, end: (waiting: Pending) => void): void {
    const waiting = pending.get(id)
    if (waiting === undefined) return
    pending.delete(id)
    waiting.timer.stop()
    end(waiting)
  }

  /** A failed thread is of no more use; the next question starts another. */
  function letGo(failed: Worker, error: unknown): void {
    if (worker !== failed) return
    worker = undefined
    for (const id of pending.keys()) settle(id, ({ reject }) => reject(error))
    void failed.terminate()
  }

  function start(): Worker {
    const started = new Worker(program)
    started.on('message', ({ id, result, error }: Answer) =>
      settle(id, ({ resolve, reject }) =>
        error === undefined ? resolve(result as never) : reject(new Error(error)),
      ),
    )
    started.on('error', (error) => letGo(started, error))
    started.on('exit', () => letGo(started, new Error('The thread ended.')))
    started.unref()
    return started
  }

  return {
    ask(task) {
      worker ??= start()
      const asked = worker
      const id = ++lastId
      return new Promise((resolve, reject) => {
        const timer = clock.after(waitMs, () => letGo(asked, new Error('The thread took too long.')))
        pending.set(id, { resolve, reject, timer })
        asked.postMessage({ id, task })
      })
    },
    async stop() {
      if (worker !== undefined) letGo(worker, new Error('The server is stopping.'))
    },
  }
}
