import { useEffect, useState } from 'react'

/** After this time without an answer, the screen says that it waits. */
export const LATE_MS = 2_000

export function useLate(isWaiting = true): boolean {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    if (!isWaiting) return
    const timer = setTimeout(() => setLate(true), LATE_MS)
    return () => {
      clearTimeout(timer)
      setLate(false)
    }
  }, [isWaiting])
  return isLate
}
