import type { Clock } from '#platform/clock/clock.ts'
import { refuse } from '#platform/http/refuse.ts'

/** The caller who asks for work on a password. */
export interface Asker {
  /** Its callers share its places: a provider's customer (`siteOf`), or the session of somebody who has signed in. */
  readonly lane: string
  /** Somebody who works for a shop, in a session or from a network of that shop. Those come first. */
  readonly isKnown: boolean
}

interface Waiter {
  readonly begin: () => void
  readonly leave: () => void
}

interface Settings {
  readonly atOnce: number
  readonly perLane: number
  /** In all lanes of the known together, and in all other lanes together. */
  readonly inAll: number
  deadlineMs: number
}

/** After so many of the known, one of the others gets a turn. */
const knownInARow = 4
const retryAfterSeconds = 5

/** Turns for dear work: lanes take one each, the known before the others, and nobody waits longer than the deadline. */
export function createFairTurns(settings: Settings, clock: Clock) {
  const { atOnce, perLane, inAll } = settings
  const known = createLanes()
  const others = createLanes()
  let running = 0
  let inARow = 0

  function next(): Waiter | undefined {
    const isOthersTurn = known.size() === 0 || (inARow >= knownInARow && others.size() > 0)
    inARow = isOthersTurn ? 0 : inARow + 1
    return (isOthersTurn ? others : known).shift()
  }

  async function wait(asker: Asker): Promise<void> {
    const lanes = asker.isKnown ? known : others
    const isFull =
      lanes.sizeOf(asker.lane) >= perLane || (lanes.size() >= inAll && !lanes.makeRoomFor(asker.lane))
    if (isFull) refuse('too_many_requests', { retryAfterSeconds })
    const { promise, resolve } = Promise.withResolvers<'turn' | 'none'>()
    const waiter = { begin: () => resolve('turn'), leave: () => resolve('none') }
    lanes.push(asker.lane, waiter)
    const timer = clock.after(settings.deadlineMs, () => {
      lanes.remove(asker.lane, waiter)
      waiter.leave()
    })
    const what = await promise
    timer.stop()
    if (what === 'none') refuse('too_many_requests', { retryAfterSeconds })
  }

  return {
    /** How many wait. */
    waiting: () => known.size() + others.size(),
    async inTurn<T>(asker: Asker, work: () => Promise<T>): Promise<T> {
      if (running >= atOnce) await wait(asker)
      else running++
      try {
        return await work()
      } finally {
        const waiter = next()
        if (waiter === undefined) running--
        else waiter.begin()
      }
    },
  }
}

/** Lanes that take turns: the one that was served goes to the end. */
function createLanes() {
  const lanes = new Map<string, Waiter[]>()
  let size = 0
  return {
    size: () => size,
    sizeOf: (lane: string) => lanes.get(lane)?.length ?? 0,
    push(lane: string, waiter: Waiter): void {
      const waiters = lanes.get(lane)
      if (waiters === undefined) lanes.set(lane, [waiter])
      else waiters.push(waiter)
      size++
    },
    shift(): Waiter | undefined {
      const [first] = lanes
      if (first === undefined) return undefined
      const [lane, waiters] = first
      const waiter = waiters.shift()
      lanes.delete(lane)
      if (waiters.length > 0) lanes.set(lane, waiters)
      size--
      return waiter
    },
    /** The last of the longest lane leaves, unless this lane is about as long. */
    makeRoomFor(lane: string): boolean {
      const [longest = []] = [...lanes.values()].toSorted((a, b) => b.length - a.length)
      if (longest.length <= this.sizeOf(lane) + 1) return false
      longest.pop()?.leave()
      size--
      return true
    },
    remove(lane: string, waiter: Waiter): void {
      const waiters = lanes.get(lane)
      const at = waiters?.indexOf(waiter) ?? -1
      if (waiters === undefined || at === -1) return
      waiters.splice(at, 1)
      if (waiters.length === 0) lanes.delete(lane)
      size--
    },
  }
}
