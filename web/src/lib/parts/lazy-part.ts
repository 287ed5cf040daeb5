import type { ComponentType, LazyExoticComponent, ReactNode } from 'react'
import { Component, createContext, createElement, lazy, Suspense, use, useEffect, useState } from 'react'
import { UnreachableError } from '../calls/call.ts'
import { isReached, line } from '../calls/is-reached.ts'
import { afterPaint } from './after-paint.ts'
import { fetchAhead } from './fetch-ahead.ts'

export type LazyPart<P> = ComponentType<P> & { preload: () => void }

const tries = 3
const pauseMs = 1_000
/** On a silent connection a fetch neither arrives nor fails. */
const limitMs = 10_000

/** A connection that breaks for a moment is no failure yet. */
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

/** The cause is the browser's failure; a part that only came too late has none. */
class MissingPartError extends UnreachableError {}

/** The loaded part, or a failure in time. */
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
  /** Dialogs only: closes the dialog and keeps the page as it is. */
  onClose: (() => void) | undefined
}

/** Takes the place of a part that could not be fetched; the app provides it. */
export const MissingPart = createContext<ComponentType<MissingPartProps>>(() => null)

/** A fetched page fetches its own parts once it is idle. The first script has many parts, which wait for a press. */
let hasStarted = false
setTimeout(() => (hasStarted = true))

type PropsOf<Part> = Part extends (props: infer P extends object) => ReactNode ? P : object

/**
 * A component that is fetched when it is first shown, or earlier, so that it is ready for a press. If the fetch fails,
 * only this part fails, and can be fetched again. A part that takes `onClose` is a dialog.
 *
 * It takes the module and a name, because a function around each of fifty imports adds half a kilobyte to the first
 * script.
 */
export function lazyPart<M, Name extends keyof M>(
  load: () => Promise<M>,
  name: Name,
  { canReload = true } = {},
): LazyPart<PropsOf<M[Name]>> {
  type P = PropsOf<M[Name]>
  let fetched: ComponentType<P> | undefined
  const fetchPart = async (): Promise<ComponentType<P>> =>
    (fetched = (await load())[name] as ComponentType<P>)
  // Browsers keep the failed fetch of a module until the page is loaded again: first the server has to answer.
  const fetchSafely = async (): Promise<ComponentType<P>> => {
    if (!line.hasParts && !(await isReached())) throw new UnreachableError('The server does not answer')
    return fetchPart()
  }
  const toLazy = (): ComponentType<P> => lazy(async () => ({ default: await loadInTime(fetchSafely) }))
  // Outside the component: React restarts a component whenever its contents make it wait.
  let waiting = toLazy()
  // An already fetched part shows at once; behind `lazy` it would show a moment after its page.
  const current = (): ComponentType<P> => fetched ?? waiting
  let timesFailed = 0
  let shown = 0
  const fail = (): void => {
    waiting = toLazy()
    timesFailed += 1
  }
  // The browser joins a new `import()` to a fetch that hangs on a dead connection or has failed. Only a reload ends that.
  const endHungFetch = async (): Promise<void> => {
    if (timesFailed < 2 || !(await isReached())) return
    // If the connection has recovered, the hanging fetch arrives too.
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
      // Next to a part that is no dialog, the clerk may have typed text; the clerk reloads there.
      if (onClose && canReload) void endHungFetch()
    }
    return createElement(
      PartBoundary,
      { onFailure: fail, onRetry: retry, onClose },
      createElement(Shown, props),
    )
  }
  // A failed early fetch is no failure yet: the part fetches again when it is shown.
  const preload = (): void => void (line.isInDoubt || fetchPart().catch(() => undefined))
  if (hasStarted) fetchAhead(preload)
  return Object.assign(Part, { preload })
}

interface BoundaryProps extends MissingPartProps {
  onFailure: () => void
  children?: ReactNode
}

/** Keeps a missing part from removing the page around it. */
class PartBoundary extends Component<BoundaryProps, { error: unknown }> {
  override state = { error: undefined }

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error }
  }

  override componentDidCatch(error: unknown): void {
    if (error instanceof MissingPartError) this.props.onFailure()
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

/** A component that no user waits for. It shows when it arrives, and never fails the page around it. */
export function backgroundPart<M, Name extends keyof M>(
  load: () => Promise<M>,
  name: Name,
): LazyExoticComponent<ComponentType<PropsOf<M[Name]>>> {
  type Part = ComponentType<PropsOf<M[Name]>>
  return lazy(async () => ({ default: (await loadPatiently(load, Infinity))[name] as Part }))
}

/** The same, fetched once the page is painted: it is no part of the first screen. */
export function paintedPart<M, Name extends keyof M>(
  load: () => Promise<M>,
  name: Name,
): ComponentType<PropsOf<M[Name]>> {
  type P = PropsOf<M[Name]>
  const Part = backgroundPart(load, name) as ComponentType<P>
  return (props: P) => {
    const [isPainted, setPainted] = useState(false)
    useEffect(() => afterPaint(() => setPainted(true)), [])
    return isPainted && createElement(Suspense, null, createElement(Part, props))
  }
}
