import { call, CallError } from '#lib/calls/call.ts'
import { newId } from '#lib/calls/new-id.ts'
import { liveState } from '../state/live-state.ts'
import { screenKind } from './screen-kind.ts'

const KEY = 'watching-screen'
const AGAIN_MS = 30_000
/** A page that draws answers within a frame; one that sleeps answers when it wakes. */
const DRAWN_WITHIN_MS = 2_000

/**
 * Tells the server every half minute that this screen watches. It says so only if the stream of events is open, the page
 * is visible and the browser has just drawn it. Returns the function that ends it.
 */
export function reportScreen(tmk: string): () => void {
  const screen = screenOfTab()
  let isOver = false
  let isSaying = false
  let said = { at: -Infinity, kind: screenKind.get() }

  async function say(): Promise<void> {
    if (isSaying) return
    isSaying = true
    const kind = screenKind.get()
    said = { at: performance.now(), kind }
    const body = { screen, kind }
    const options = { limitMs: 10_000 }
    await call('PUT /m/v2/merchant/{tmk}/watch/screen', { params: { tmk }, body }, options).catch(
      (error: unknown) => {
        // A refusal will not be another one next time, such as of a server without this call.
        if (error instanceof CallError && error.status < 500 && error.status !== 429) end()
      },
    )
    isSaying = false
  }
  function look(): void {
    if (isOver || document.visibilityState !== 'visible' || liveState.get().kind !== 'live') return
    const askedAt = performance.now()
    requestAnimationFrame(() => {
      const now = performance.now()
      const isFresh = now - said.at < AGAIN_MS / 2 && said.kind === screenKind.get()
      if (!isOver && !isFresh && now - askedAt <= DRAWN_WITHIN_MS) void say()
    })
  }
  const timer = setInterval(look, AGAIN_MS)
  const unlisten = [liveState.listen(look), screenKind.listen(look)]
  document.addEventListener('visibilitychange', look)
  function end(): void {
    isOver = true
    clearInterval(timer)
    document.removeEventListener('visibilitychange', look)
    for (const stop of unlisten) stop()
  }
  return end
}

/** A reload is the same screen: the server counts a page that has gone for another minute. */
function screenOfTab(): string {
  const fresh = newId()
  try {
    const kept = sessionStorage.getItem(KEY)
    if (kept !== null) return kept
    sessionStorage.setItem(KEY, fresh)
  } catch {
    // Without a storage each page counts as a screen.
  }
  return fresh
}
