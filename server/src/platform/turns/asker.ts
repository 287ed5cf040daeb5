import { AsyncLocalStorage } from 'node:async_hooks'

interface Asker {
  readonly key: string
  isAnswered: boolean
  hasLeft: boolean
  readonly waiting: Set<() => void>
}

const asking = new AsyncLocalStorage<Asker>()

/**
 * Does the work of a call in the name of the party that asked for it: a person, a network, the marketplace. `onLeft` tells
 * of a party that no longer waits for the answer, where the work is of no use without it.
 */
export async function askedBy<T>(
  key: string,
  work: () => Promise<T>,
  onLeft?: (leave: () => void) => void,
): Promise<T> {
  const asker: Asker = { key, isAnswered: false, hasLeft: false, waiting: new Set() }
  onLeft?.(() => {
    asker.hasLeft = true
    for (const leave of asker.waiting) leave()
  })
  try {
    return await asking.run(asker, work)
  } finally {
    // Work that the call has started and does not wait for goes on in the same context.
    asker.isAnswered = true
    asker.waiting.clear()
  }
}

/** Work of the server that a call may have started, and that serves everybody: it waits in nobody's line. */
export function asServer<T>(work: () => T): T {
  return asking.exit(work)
}

/** The key of the server's own work. */
export const ownWork = ''

export function askerNow(): string {
  return current()?.key ?? ownWork
}

export function hasAskerLeft(): boolean {
  return current()?.hasLeft === true
}

/** Leaves a line when the party that asks leaves before the returned function is called. */
export function whileAskerWaits(leave: () => void): () => void {
  const asker = current()
  asker?.waiting.add(leave)
  return () => void asker?.waiting.delete(leave)
}

function current(): Asker | undefined {
  const asker = asking.getStore()
  return asker?.isAnswered ? undefined : asker
}
