import type { ComponentType, LazyExoticComponent } from 'react'
import { createElement, lazy, useState } from 'react'

export type LazyPart<P> = ComponentType<P> & { preload: () => void }

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
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>): LazyPart<P> {
  let fetched: ComponentType<P> | undefined
  const fetchPart = async (): Promise<ComponentType<P>> => (fetched = await load())
  const Lazy: ComponentType<P> = lazy(async () => ({ default: await loadPatiently(fetchPart, tries) }))
  // What is there already is shown at once: behind `lazy` it would come a moment after the page around it.
  function Part(props: P) {
    const [Shown] = useState(() => fetched ?? Lazy)
    return createElement(Shown, props)
  }
  // A failed early fetch is no failure yet: showing the part asks again.
  return Object.assign(Part, { preload: () => void fetchPart().catch(() => undefined) })
}

/** A component that nobody waits for and nobody asked for: it comes when it can, and never fails the page around it. */
export function backgroundPart<P>(
  load: () => Promise<ComponentType<P>>,
): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => ({ default: await loadPatiently(load, Infinity) }))
}
