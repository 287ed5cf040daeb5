import type { ComponentType, LazyExoticComponent } from 'react'
import { lazy } from 'react'

export type LazyPart<P> = LazyExoticComponent<ComponentType<P>> & { preload: () => void }

/** A component fetched when it is first shown, or before: so that it is there when a press asks for it. */
export function lazyPart<P>(load: () => Promise<ComponentType<P>>): LazyPart<P> {
  const part = lazy(async () => ({ default: await load() }))
  // A failed early fetch is no failure yet: showing the part asks again.
  return Object.assign(part, { preload: () => void load().catch(() => undefined) })
}
