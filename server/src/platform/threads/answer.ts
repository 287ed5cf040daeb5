import { parentPort } from 'node:worker_threads'

/** The other end of a thread: answers one question after another. */
export function answerThread(work: (task: never) => Promise<unknown>): void {
  parentPort?.on('message', ({ id, task }: { id: number; task: never }) => {
    work(task).then(
      (result) => parentPort?.postMessage({ id, result }),
      (error: unknown) =>
        parentPort?.postMessage({ id, error: error instanceof Error ? error.message : String(error) }),
    )
  })
}
