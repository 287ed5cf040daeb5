import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { runInIdleTime } from '../../server/src/platform/side-process/idle-time.ts'

export interface Apart {
  /** Ends the work; answers what it has to say. */
  stop(): Promise<string>
}

/**
 * Runs a module's work in a process of its own, with what the measured server leaves of the processor: in life these
 * clients have machines of their own, and beside the measuring ones their time would look like the server's.
 */
export function startApart(module: URL, data: unknown): Apart {
  const child = fork(fileURLToPath(module), ['apart'])
  child.send({ data })
  return {
    async stop() {
      child.send({ stop: true })
      const [said] = (await once(child, 'message')) as [string]
      child.disconnect()
      return said
    },
  }
}

/** What a module does that `startApart` started; nothing in any other. */
export async function servesApart<T>(work: (data: T, stop: AbortSignal) => Promise<string>): Promise<void> {
  if (process.argv[2] !== 'apart') return
  runInIdleTime()
  // An interrupted benchmark must leave no client behind.
  process.once('disconnect', () => process.exit())
  const [{ data }] = (await once(process, 'message')) as [{ data: T }]
  const stop = new AbortController()
  process.once('message', () => stop.abort())
  process.send?.(await work(data, stop.signal))
}
