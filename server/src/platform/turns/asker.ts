import { AsyncLocalStorage } from 'node:async_hooks'

interface Asker {
  readonly key: string
  isAnswered: boolean
}

const asking = new AsyncLocalStorage<Asker>()

/** Does the work of a call in the name of the party that asked for it: a person, a network, the marketplace. */
export async function askedBy<T>(key: string, work: () => Promise<T>): Promise<T> {
  const asker = { key, isAnswered: false }
  try {
    return await asking.run(asker, work)
  } finally {
    // Work that the call has started and does not wait for goes on in the same context.
    asker.isAnswered = true
  }
}

/** Work of the server that a call may have started, and that serves everybody: it waits in nobody's line. */
export function asServer<T>(work: () => T): T {
  return asking.exit(work)
}

/** The key of the server's own work. */
export const ownWork = ''

export function askerNow(): string {
  const asker = asking.getStore()
  return asker === undefined || asker.isAnswered ? ownWork : asker.key
}
