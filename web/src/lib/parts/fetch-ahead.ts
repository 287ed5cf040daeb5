import { useEffect } from 'react'
import { whenIdle } from './when-idle.ts'

// The types know no network information, which some browsers lack.
const { connection } = navigator as { connection?: { saveData: boolean } }

/** Fetches what the next press probably needs, once the page is idle, unless the browser is told to save data. */
export function fetchAhead(fetch: () => void) {
  return connection?.saveData ? undefined : whenIdle(fetch)
}

/** The same, given up when the component goes. */
export function useAhead(fetch: () => void): void {
  useEffect(() => fetchAhead(fetch), [fetch])
}
