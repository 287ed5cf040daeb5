/** Chance with a seed: the same seed gives the same values, so that the demo is the same everywhere. */
export interface Random {
  /** From 0 up to, but not including, 1. */
  next(): number
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number
  chance(probability: number): boolean
  pick<T>(choices: readonly T[]): T
  /** Several different ones, in the sequence in which they were drawn. */
  sample<T>(choices: readonly T[], count: number): T[]
  digits(count: number): string
}

/** mulberry32: small, fast, and good enough for values that are no secret. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  function pick<T>(choices: readonly T[]): T {
    if (choices.length === 0) throw new Error('There is nothing to pick from.')
    return choices[between(0, choices.length - 1)] as T
  }
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick,
    sample<T>(choices: readonly T[], count: number) {
      const left = [...choices]
      const drawn: T[] = []
      while (drawn.length < count && left.length > 0)
        drawn.push(...left.splice(between(0, left.length - 1), 1))
      return drawn
    },
    digits: (count) => Array.from({ length: count }, () => between(0, 9)).join(''),
  }
}
