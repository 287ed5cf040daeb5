import type { Clock, Timer } from '../clock/clock.ts'

/** A request that takes longer does not count: it waits for something else than a core, such as a lock, or the paper that is being drawn. */
const quickMs = 20
/** A screen asks several questions one after the other. */
const pauseMs = 4
/** The longest in a row, and the least that is worth a signal. */
const mostMs = 60
const leastMs = 8
/** However many requests come, the work has a third of the time: for each millisecond it earns so many of a pause. */
const earnedPerMs = 2

type Hold = (isHeld: boolean) => void

/** The time between requests, for work that can wait for it. */
export interface Lulls {
  /** A request has come. The function that it answers tells that the reply has gone. */
  requested(): () => void
  /** Tells the work, until it is over, whether to wait. The function that it answers ends that, and tells it to go on. */
  during(hold: Hold): () => void
}

export function createLulls(clock: Clock): Lulls {
  const works = new Set<Hold>()
  /** When each request began that is being answered, the oldest first; without those that take long. */
  const begun: { readonly ms: number }[] = []
  let isHeld = false
  let end: Timer | undefined
  /** For how long the work may still be held, at the moment `sinceMs`. */
  let creditMs = mostMs
  let sinceMs = clock.readingMs()

  function count(): void {
    const now = clock.readingMs()
    const passedMs = now - sinceMs
    sinceMs = now
    // A server that stood still itself has nothing to pay back.
    creditMs = isHeld
      ? Math.max(creditMs - passedMs, -mostMs)
      : Math.min(creditMs + passedMs * earnedPerMs, mostMs)
  }

  function set(held: boolean): void {
    count()
    isHeld = held
    for (const hold of works) hold(held)
  }

  function release(): void {
    end?.stop()
    if (isHeld) set(false)
  }

  function hold(ms: number): void {
    if (works.size === 0) return
    count()
    // A timer takes a millisecond at least, and the next request would put it off.
    if (isHeld && creditMs <= 0) return release()
    if (!isHeld && creditMs < leastMs) return
    if (!isHeld) set(true)
    end?.stop()
    end = clock.after(Math.min(ms, creditMs), release)
  }

  function forgetLong(now: number): void {
    while ((begun[0]?.ms ?? now) < now - quickMs) begun.shift()
  }

  return {
    requested() {
      if (works.size === 0) return () => undefined
      const own = { ms: clock.readingMs() }
      forgetLong(own.ms)
      begun.push(own)
      hold(quickMs)
      return () => {
        const now = clock.readingMs()
        forgetLong(now)
        const place = begun.indexOf(own)
        if (place < 0) return
        begun.splice(place, 1)
        hold(Math.max(pauseMs, (begun.at(-1)?.ms ?? -Infinity) + quickMs - now))
      }
    },
    during(work) {
      works.add(work)
      if (isHeld) work(true)
      return () => {
        if (!works.delete(work)) return
        if (isHeld) work(false)
        if (works.size === 0) release()
      }
    },
  }
}
