/** Whoever gets this waited too long for a place, or would have been too far behind. */
export class NoTurn extends Error {
  constructor() {
    super('Too much was asked for at the same time.')
  }
}

export interface TurnLimits {
  /** How much goes on at once, of all keys together and of each. */
  readonly places: number
  readonly perKey: number
  /** How many of one key wait at most, and for how long. */
  readonly waiting: number
  readonly waitMs: number
}

export interface Turns {
  /** Does the work once it is the key's turn; rejects with `NoTurn` without having begun it. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>
  /** How many wait now, of all keys. */
  waiting(): number
}

interface Waiting {
  readonly begin: () => void
}

interface Line {
  running: number
  readonly waiting: Set<Waiting>
}

/** Places that several parties share. Those who wait are taken in turn by party, so that nobody waits behind a crowd. */
export function createTurns({ places, perKey, waiting: most, waitMs }: TurnLimits): Turns {
  // In the order of turns: who was served last stands last.
  const lines = new Map<string, Line>()
  let running = 0

  function begin(key: string, line: Line): void {
    running++
    line.running++
    lines.delete(key)
    lines.set(key, line)
  }

  function end(key: string, line: Line): void {
    running--
    line.running--
    lines.delete(key)
    if (line.running > 0 || line.waiting.size > 0) lines.set(key, line)
    for (const [next, waiters] of lines) {
      if (running === places) return
      const [first] = waiters.waiting
      if (first === undefined || waiters.running === perKey) continue
      waiters.waiting.delete(first)
      begin(next, waiters)
      first.begin()
    }
  }

  function turnOf(key: string, line: Line): Promise<void> {
    if (line.waiting.size >= most) return Promise.reject(new NoTurn())
    lines.set(key, line)
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        line.waiting.delete(waiter)
        if (line.running === 0 && line.waiting.size === 0) lines.delete(key)
        reject(new NoTurn())
      }, waitMs)
      const waiter: Waiting = {
        begin() {
          clearTimeout(timer)
          resolve()
        },
      }
      line.waiting.add(waiter)
    })
  }

  return {
    async run(key, work) {
      const line = lines.get(key) ?? { running: 0, waiting: new Set() }
      if (running < places && line.running < perKey && line.waiting.size === 0) begin(key, line)
      else await turnOf(key, line)
      try {
        return await work()
      } finally {
        end(key, line)
      }
    },
    waiting: () => [...lines.values()].reduce((sum, line) => sum + line.waiting.size, 0),
  }
}
