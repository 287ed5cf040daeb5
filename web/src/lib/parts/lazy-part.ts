import type { ComponentType, LazyExoticComponent, ReactNode } from 'react'
import { Component, createContext, createElement, lazy, use, useEffect, useState } from 'react'
import { UnreachableError } from '../calls/call.ts'
import { isReached } from '../calls/is-reached.ts'
import { whenIdle } from './when-idle.ts'

export type LazyPart<P> = ComponentType<P> & { preload: () => void }

const tries = 3
const pauseMs = 1_000
/** On a silent line a fetch neither arrives nor fails. */
const limitMs = 10_000

/** A line that is cut for a moment is no failure yet. */
async function loadPatiently<T>(load: () => Promise<T>, triesAtMost: number): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await load()
    } catch (error) {
      if (attempt === triesAtMost) throw error
      await pause(pauseMs)
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Its cause is the browser's failure; one that was only too late has none. */
class MissingPartError extends UnreachableError {}

/** What a part of the page is made of, or a failure in time. */
export function loadInTime<T>(load: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown): void => reject(new MissingPartError('A part is missing', { cause }))
    const timer = setTimeout(fail, limitMs)
    loadPatiently(load, tries)
      .then(resolve, fail)
      .finally(() => clearTimeout(timer))
  })
}

export interface MissingPartProps {
  onRetry: () => void
  /** Of a dialog: the part is given up, and the page stays as it is. */
  onClose: (() => void) | undefined
}

/** Stands in the place of a part that could not be fetched; the app hands it in. */
export const MissingPart = createContext<ComponentType<MissingPartProps>>(() => null)

/** A page that is fetched fetches its own parts once it is idle; those of the first script are many, and wait to be asked. */
let hasStarted = false
setTimeout(() => (hasStarted = true))

/**
 * A component fetched when it is first shown, or before: so that it is there when a press asks for it. Where it cannot
 * be fetched, it alone fails, and can be asked for again. One that takes `onClose` is a dialog.
 */
export function lazyPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  { canReload = true } = {},
): LazyPart<P> {
  let fetched: ComponentType<P> | undefined
  const fetchPart = async (): Promise<ComponentType<P>> => (fetched = await load())
  const toLazy = (): ComponentType<P> => lazy(async () => ({ default: await loadInTime(fetchPart) }))
  // Outside the component, which starts anew each time that what it shows has to be waited for.
  let waiting = toLazy()
  // What is there already is shown at once: behind `lazy` it would come a moment after the page around it.
  const current = (): ComponentType<P> => fetched ?? waiting
  let timesLate = 0
  let shown = 0
  const fail = (error: MissingPartError): void => {
    waiting = toLazy()
    if (error.cause === undefined) timesLate += 1
  }
  // A browser joins `import()` to the fetch that hangs on a dead connection, and nothing but a new page ends that one.
  const endHungFetch = async (): Promise<void> => {
    if (timesLate < 2 || !(await isReached())) return
    // Where the line has come back, so does what was fetched over it.
    await pause(2 * pauseMs)
    if (!fetched && shown > 0) location.reload()
  }
  function Part(props: P) {
    const [Shown, show] = useState(current)
    useEffect(() => {
      shown += 1
      return () => void (shown -= 1)
    }, [])
    const { onClose } = props as { onClose?: () => void }
    const retry = (): void => {
      show(current)
      // Beside a part that is no dialog something may be typed: there the clerk reloads.
      if (onClose && canReload) void endHungFetch()
    }
    return createElement(
      PartBoundary,
      { onFailure: fail, onRetry: retry, onClose },
      createElement(Shown, props),
    )
  }
  // A failed early fetch is no failure yet: showing the part asks again.
  const preload = (): void => void fetchPart().catch(() => undefined)
  if (hasStarted) whenIdle(preload)
  return Object.assign(Part, { preload })
}

interface BoundaryProps extends MissingPartProps {
  onFailure: (error: MissingPartError) => void
  children?: ReactNode
}

/** Keeps a missing part from taking the page around it along. */
class PartBoundary extends Component<BoundaryProps, { error: unknown }> {
  override state = { error: undefined }

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error }
  }

  override componentDidCatch(error: unknown): void {
    if (error instanceof MissingPartError) this.props.onFailure(error)
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === undefined) return this.props.children
    if (!((error as unknown) instanceof MissingPartError)) throw error
    return createElement(Missing, {
      onClose: this.props.onClose,
      onRetry: () => {
        this.props.onRetry()
        this.setState({ error: undefined })
      },
    })
  }
}

function Missing(props: MissingPartProps) {
  return createElement(use(MissingPart), props)
}

/** A component that nobody waits for and nobody asked for: it comes when it can, and never fails the page around it. */
export function backgroundPart<P>(
  load: () => Promise<ComponentType<P>>,
): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => ({ default: await loadPatiently(load, Infinity) }))
}
