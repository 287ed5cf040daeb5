import type { Clock, Timer } from '../src/platform/clock/clock.ts'
import { eventually } from './eventually.ts'

/** A clock that a test turns forward. */
export interface TurnedClock extends Clock {
  /** All that is due by then happens now, each once, as after a machine's sleep. */
  turn(ms: number): void
}

interface Alarm {
  readonly dueMs: number
  readonly isByTurnAlone: boolean
  readonly ring: () => void
  timer: NodeJS.Timeout | undefined
}

/** No test waits for so long, and the server's hourly work would come in the middle of the tests of a slow machine. */
const byTurnAloneMs = 30_000

/**
 * It runs like the machine's, but timers of `byTurnAloneMs` or more ring by turns alone. One that does not run moves by
 * turns alone, for a test that a slow machine must not fail.
 */
export function createTurnedClock({ runs = true } = {}): TurnedClock {
  let aheadMs = 0
  const alarms = new Set<Alarm>()
  const [startedAt, startedReading] = [Date.now(), Math.ceil(performance.now())]
  const readingMs = () => (runs ? performance.now() : startedReading) + aheadMs
  const start = (alarm: Alarm, ms: number) => {
    if (runs && !alarm.isByTurnAlone) alarm.timer = setTimeout(alarm.ring, ms).unref()
  }

  function after(ms: number, call: () => void): Timer {
    const ring = () => {
      stop()
      call()
    }
    const isByTurnAlone = ms >= byTurnAloneMs
    const alarm: Alarm = { dueMs: readingMs() + ms, isByTurnAlone, ring, timer: undefined }
    start(alarm, ms)
    const stop = () => {
      clearTimeout(alarm.timer)
      alarms.delete(alarm)
    }
    alarms.add(alarm)
    return { stop }
  }

  return {
    nowMs: () => (runs ? Date.now() : startedAt) + aheadMs,
    readingMs,
    after,
    every(ms, call) {
      let next: Timer
      const again = () => {
        next = after(ms, again)
        call()
      }
      next = after(ms, again)
      return { stop: () => next.stop() }
    },
    sleep(ms, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted === true) return reject(signal.reason)
        const timer = after(ms, resolve)
        signal?.addEventListener('abort', () => {
          timer.stop()
          reject(signal.reason)
        })
      })
    },
    limit(ms) {
      const over = new AbortController()
      after(ms, () => over.abort(new DOMException('The time is over.', 'TimeoutError')))
      return over.signal
    },
    turn(ms) {
      aheadMs += ms
      const now = readingMs()
      const inOrder = [...alarms].toSorted((one, other) => one.dueMs - other.dueMs)
      for (const alarm of inOrder) {
        // An earlier one may have stopped it.
        if (!alarms.has(alarm)) continue
        clearTimeout(alarm.timer)
        if (alarm.dueMs <= now) alarm.ring()
        else start(alarm, alarm.dueMs - now)
      }
    },
  }
}

/** Repeats a check until it passes; a quarter of a second passes between two tries. */
export async function laterBy<T>(
  turn: (ms: number) => Promise<void> | void,
  check: () => T | Promise<T>,
): Promise<T> {
  return eventually(async () => {
    try {
      return await check()
    } catch (error) {
      await turn(250)
      throw error
    }
  })
}

/** Lets time pass in the same way until the work has ended. */
export async function passingBy<T>(turn: (ms: number) => Promise<void> | void, work: Promise<T>): Promise<T> {
  let isOver = false
  const ended = work.finally(() => (isOver = true))
  ended.catch(() => undefined)
  await laterBy(turn, () => {
    if (!isOver) throw new Error('It has not ended')
  })
  return ended
}
