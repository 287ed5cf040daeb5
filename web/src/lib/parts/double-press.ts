import { useRef } from 'react'
import { GUARD_MS } from './late-press.ts'

/** The same press without those that follow too soon and belong to it (a double click, a bouncing or a held key), for a button whose meaning changes with each press. */
export function useSinglePress<T>(press: (given: T) => void): (given: T) => void {
  const lastAt = useRef(-Infinity)
  return (given) => {
    const now = performance.now()
    const isDouble = now - lastAt.current < GUARD_MS
    lastAt.current = now
    if (!isDouble) press(given)
  }
}
