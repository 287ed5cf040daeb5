import { useRef } from 'react'

/** A press that comes sooner after the one before it belongs to that one: a double click, a bouncing or a held key. */
const GUARD_MS = 700

/** The same press without those that follow too soon, for a button whose meaning changes with each press. */
export function useSinglePress<T>(press: (given: T) => void): (given: T) => void {
  const lastAt = useRef(-Infinity)
  return (given) => {
    const now = performance.now()
    const isDouble = now - lastAt.current < GUARD_MS
    lastAt.current = now
    if (!isDouble) press(given)
  }
}
