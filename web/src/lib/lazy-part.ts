import type { ComponentType, LazyExoticComponent } from 'react'
import { lazy } from 'react'

export type LazyPart<P> = LazyExoticComponent<ComponentType<P>> & { preload: () => void }

const tries = 4
const pauseMs = 1_500

/** React keeps the first failure for good, so a line that is cut for a moment must not count as one. */
async function loadPatiently<T>(load: () => Promise<T>, triesAtMost: number): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await load()
    } catch (error) {
      if (attempt === triesAtMost) throw error
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
}

/** A component fetched when it is first shown, or before: so that it is there when a press asks for it. */
export function lazyPart<P>(load: () => Promise<ComponentType<P>>): LazyPart<P> {
  const part = lazy(async () => ({ default: await loadPatiently(load, tries) }))
  // A failed early fetch is no failure yet: showing the part asks again.
  return Object.assign(part, { preload: () => void load().catch(() => undefined) })
}

/** A component that nobody waits for and nobody asked for: it comes when it can, and never fails the page around it. */
export function backgroundPart<P>(
  load: () => Promise<ComponentType<P>>,
): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => ({ default: await loadPatiently(load, Infinity) }))
}
