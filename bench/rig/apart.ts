import { once } from 'node:events'
import { parentPort, Worker, workerData } from 'node:worker_threads'

export interface Apart {
  /** Ends the work; answers what it has to say. */
  stop(): Promise<string>
}

/**
 * Runs a module's work in a thread of its own. Many clients in the thread that measures would keep it busy, and their
 * time would look like the server's.
 */
export function startApart(module: URL, data: unknown): Apart {
  const worker = new Worker(module, { workerData: data })
  const failed = new Promise<never>((_, reject) => {
    worker.on('error', reject)
  })
  failed.catch(() => undefined)
  return {
    async stop() {
      const said = once(worker, 'message')
      worker.postMessage('stop')
      const [text] = (await Promise.race([said, failed])) as [string]
      await worker.terminate()
      return text
    },
  }
}

/** What a module does that `startApart` started; nothing in any other. */
export async function servesApart<T>(work: (data: T, stop: AbortSignal) => Promise<string>): Promise<void> {
  const port = parentPort
  if (!port) return
  const stop = new AbortController()
  port.once('message', () => stop.abort())
  port.postMessage(await work(workerData as T, stop.signal))
}
