import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { basename } from 'node:path'
import { parentPort } from 'node:worker_threads'

/** The other end of a thread: answers one question after another. */
export function answerThread(work: (task: never) => Promise<unknown>): void {
  comeAfterRequests()
  parentPort?.on('message', ({ id, task }: { id: number; task: never }) => {
    work(task).then(
      (result) => parentPort?.postMessage({ id, result }),
      (error: unknown) =>
        parentPort?.postMessage({ id, error: error instanceof Error ? error.message : String(error) }),
    )
  })
}

/** A batch of papers would otherwise take a core from requests and from the database. Linux alone has a priority for each thread. */
function comeAfterRequests(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // A container may forbid it, and then papers are drawn all the same.
  }
}
