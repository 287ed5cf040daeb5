import { useEffect, useRef, useState, type KeyboardEvent } from 'react'

/** So long, a press may be meant for the button that was in this place before: the second one of a double click or key. */
export const GUARD_MS = 700

/**
 * True for a moment after `shown` has changed. The button that came with the change takes no press so long. `startsEarly`
 * is for a dialog that opens by itself after another press: the end of that press must not act in it.
 */
export function useEarly(shown: unknown, startsEarly = false): boolean {
  const [now, setNow] = useState({ shown, isEarly: startsEarly })
  if (now.shown !== shown) setNow({ shown, isEarly: true })
  useEffect(() => {
    if (!now.isEarly) return
    const settle = setTimeout(() => setNow((each) => ({ ...each, isEarly: false })), GUARD_MS)
    return () => clearTimeout(settle)
  }, [now])
  return now.isEarly
}

/** For a button that stays while its meaning changes: a held Enter presses it again and again. */
export function dropRepeat(event: KeyboardEvent): void {
  if (event.repeat) event.preventDefault()
}

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
