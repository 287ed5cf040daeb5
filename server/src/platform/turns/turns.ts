import type { Clock, Timer } from '../clock/clock.ts'
import { askerNow, hasAskerLeft, whileAskerWaits } from './asker.ts'
import { createPace, type Gaps, type Pace } from './pace.ts'

/** The caller waited too long for a place, has left meanwhile, or would have been too far behind. */
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
  /** From so much at once of one key it counts as a crowd; without it, from its share on, but two at once are none. */
  readonly crowdFrom?: number
  /** One piece of work of this key goes before all others: however many they are, it waits for the next place alone. */
  readonly first?: string
  /** Whether a crowd leaves gaps while others are there. */
  readonly leavesGaps?: boolean
  /** Where its gaps are other than those of the pace. */
  readonly gaps?: Partial<Gaps>
}

export interface Turns {
  /** Does the work once it is the key's turn; rejects with `NoTurn` without having begun it. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>
  /** How many wait now, of all keys. */
  waiting(): number
}

interface Waiting {
  readonly sinceMs: number
  readonly asker: string
  /** Its round: those who ask have one turn in each. */
  readonly round: number
  readonly begin: () => void
}

interface Line {
  running: number
  readonly waiting: Set<Waiting>
  /** The round that goes on, and the last one in which each of those who ask has a turn. */
  round: number
  readonly lastRounds: Map<string, number>
  begunMs: number
  endedMs: number
  tookMs: number
  /** When it last had more at once than its share. */
  crowdedMs: number
  hasLeftGaps: boolean
  /** Ends the gap. */
  gap?: Timer | undefined
}

const nobodyYet = {
  running: 0,
  round: 0,
  begunMs: -Infinity,
  endedMs: -Infinity,
  tookMs: 0,
  crowdedMs: -Infinity,
  hasLeftGaps: false,
}

/** A colleague waits behind one call of each other person at most, and not behind all that one has asked for. */
function nextOf({ waiting }: Line): Waiting | undefined {
  let next: Waiting | undefined
  for (const waiter of waiting) if (next === undefined || waiter.round < next.round) next = waiter
  return next
}

function roundOf(line: Line, asker: string): number {
  const round = Math.max(line.round, line.lastRounds.get(asker) ?? 0) + 1
  line.lastRounds.set(asker, round)
  return round
}

/** A turn that nobody takes must not put the next call of the same asker behind the others. */
function leaveLine({ waiting, lastRounds }: Line, waiter: Waiting): void {
  waiting.delete(waiter)
  if (waiting.size === 0) return void lastRounds.clear()
  const { asker } = waiter
  const rounds = [...waiting].filter((each) => each.asker === asker).map(({ round }) => round)
  if (rounds.length === 0) lastRounds.delete(asker)
  else lastRounds.set(asker, Math.max(...rounds))
}

/**
 * Places that several parties share. Those who wait are taken in turn by party, and of one party in turn by those who
 * ask (`asker.ts`), so that nobody waits behind a crowd. Where the limits say so, a crowd also leaves gaps while others
 * are there.
 */
export function createTurns(limits: TurnLimits, clock: Clock, pace: Pace = createPace(clock)): Turns {
  const { places, perKey, crowdFrom = Math.max(perKey, 2) } = limits
  const gaps = { ...pace.gaps, ...limits.gaps }
  // In the order of turns: the one that was served last comes last.
  const lines = new Map<string, Line>()
  let running = 0

  function lineOf(key: string): Line {
    let line = lines.get(key)
    if (line === undefined)
      lines.set(key, (line = { ...nobodyYet, waiting: new Set(), lastRounds: new Map() }))
    return line
  }

  function begin(key: string, line: Line): void {
    running++
    line.running++
    line.begunMs = clock.readingMs()
    lines.delete(key)
    lines.set(key, line)
    pace.served(key)
  }

  function end(key: string, line: Line, begunMs: number): void {
    running--
    line.running--
    line.endedMs = clock.readingMs()
    line.tookMs = line.endedMs - begunMs
    lines.delete(key)
    lines.set(key, line)
    pace.served(key)
    goOn()
  }

  function beginWaiting(key: string, line: Line, waiter: Waiting): void {
    line.waiting.delete(waiter)
    line.round = waiter.round
    if (line.waiting.size === 0) line.lastRounds.clear()
    begin(key, line)
    waiter.begin()
  }

  function goOn(): void {
    const { first: favoured } = limits
    const own = favoured === undefined ? undefined : lines.get(favoured)
    const urgent = own && nextOf(own)
    if (favoured !== undefined && own?.running === 0 && urgent !== undefined && running < places)
      beginWaiting(favoured, own, urgent)
    for (const [key, line] of lines) {
      if (running === places) return
      if (line.running === perKey) continue
      const gapMs = gapOf(key, line)
      const next = nextOf(line)
      if (gapMs <= 0 && next !== undefined) beginWaiting(key, line, next)
      else if (gapMs > 0 && next !== undefined) lookAfter(gapMs, line)
      else if (gapMs <= 0 && line.running === 0) lines.delete(key)
    }
  }

  function lookAfter(gapMs: number, line: Line): void {
    line.hasLeftGaps = true
    line.gap?.stop()
    line.gap = clock.after(gapMs, goOn)
  }

  /** How long no other of the line begins yet. */
  function gapOf(key: string, line: Line): number {
    const now = clock.readingMs()
    const isCrowd = now - line.crowdedMs <= gaps.thereMs
    if (!limits.leavesGaps || !isCrowd || !pace.isBesideOthers(key)) return 0
    const [first] = line.waiting
    if (line.waiting.size > gaps.waiting || now - (first?.sinceMs ?? now) >= gaps.waitMs) return 0
    if (line.running > 0) return line.begunMs + gaps.longestMs - now
    const gapMs =
      Math.max(line.tookMs * gaps.perTurn, gaps.shortestMs) + line.waiting.size * gaps.perWaitingMs
    return line.endedMs + Math.min(gapMs, gaps.longestMs) - now
  }

  function turnOf(key: string, line: Line): Promise<void> {
    const most = limits.waiting + (line.hasLeftGaps ? gaps.waiting : 0)
    if (hasAskerLeft() || line.waiting.size >= most) return Promise.reject(new NoTurn())
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        leaveLine(line, waiter)
        timer.stop()
        stay()
        reject(new NoTurn())
      }
      let timer = clock.after(limits.waitMs, () => {
        if (line.hasLeftGaps) timer = clock.after(gaps.waitMs, giveUp)
        else giveUp()
      })
      const asker = askerNow()
      const waiter: Waiting = {
        sinceMs: clock.readingMs(),
        asker,
        round: roundOf(line, asker),
        begin() {
          timer.stop()
          stay()
          resolve()
        },
      }
      line.waiting.add(waiter)
      const stay = whileAskerWaits(giveUp)
      goOn()
    })
  }

  return {
    async run(key, work) {
      const line = lineOf(key)
      if (line.running + line.waiting.size >= crowdFrom) {
        line.crowdedMs = clock.readingMs()
        pace.crowds(key)
      }
      const isFree = running < places && line.running < perKey && line.waiting.size === 0
      if (isFree && gapOf(key, line) <= 0) begin(key, line)
      else await turnOf(key, line)
      const begunMs = clock.readingMs()
      try {
        return await work()
      } finally {
        end(key, line, begunMs)
      }
    },
    waiting: () => [...lines.values()].reduce((sum, line) => sum + line.waiting.size, 0),
  }
}
