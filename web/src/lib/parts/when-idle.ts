const AFTER_MS = 1200

/** Runs once the page has settled; returns the function that cancels it. */
export function whenIdle(act: () => void): () => void {
  const timer = setTimeout(() => {
    if ('requestIdleCallback' in window) requestIdleCallback(act, { timeout: 2000 })
    else act()
  }, AFTER_MS)
  return () => clearTimeout(timer)
}
