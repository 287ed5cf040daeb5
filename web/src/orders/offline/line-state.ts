import type { QueryClient } from '@tanstack/react-query'
import { isReached } from '#lib/calls/is-reached.ts'
import { lineState } from '#lib/calls/line-state.ts'
import { createStore } from '#lib/kept/store.ts'
import { liveState, OFFLINE_AFTER_MS } from '../state/live-state.ts'

/** When the server was last heard, on a page that shows what the device kept; null on any other page. */
export const keptSince = createStore<number | null>(null)

/** When the server told the orders that this page began with; null once the stream is open, and on any other page. */
export const heardBefore = createStore<number | null>(null)

export function isLineAway(): boolean {
  return lineState.get() === 'away' || !navigator.onLine
}

const LOOK_MS = 5_000
/** While calls pass and only the stream is held back, few tries are enough. */
const CALM_LOOK_MS = 60_000

/** Keeps `lineState`; returns the function that ends this. */
export function watchLine(queryClient: QueryClient): () => void {
  const usual = queryClient.getDefaultOptions()
  let triedAt = 0
  const look = async (): Promise<void> => {
    const state = liveState.get()
    if (state.kind === 'live') return lineState.set('there')
    const isLong = state.kind === 'reconnecting' && Date.now() - state.since >= OFFLINE_AFTER_MS
    if (!isLong && keptSince.get() === null) return lineState.set('unknown')
    if (lineState.get() === 'there' && Date.now() - triedAt < CALM_LOOK_MS) return
    triedAt = Date.now()
    const isThere = await isReached()
    if (liveState.get().kind === 'reconnecting') lineState.set(isThere ? 'there' : 'away')
  }
  // What the page has is all that there is: asking again would only put an error in its place.
  const follow = (): void => {
    const { queries } = usual
    const isAway = lineState.get() === 'away'
    queryClient.setDefaultOptions(
      isAway ? { ...usual, queries: { ...queries, staleTime: Infinity, gcTime: Infinity } } : usual,
    )
  }
  follow()
  void look()
  const timer = setInterval(() => void look(), LOOK_MS)
  const unlisten = [liveState.listen(() => void look()), lineState.listen(follow)]
  return () => {
    clearInterval(timer)
    for (const end of unlisten) end()
    queryClient.setDefaultOptions(usual)
    lineState.set('unknown')
  }
}
