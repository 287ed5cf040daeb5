import type { AnyRouter } from '@tanstack/react-router'
import { afterPaint } from './after-paint.ts'

/** A line that has gone silent answers no page's loader for much longer. */
const LATE_MS = 3_000

/** Acts once the page is on the screen with its loaded data, or is late; returns the function that cancels it. */
export function whenShown(router: AnyRouter, act: () => void): () => void {
  const cancel = (): void => {
    stop()
    clearTimeout(late)
  }
  const begin = (): void => {
    cancel()
    afterPaint(act)
  }
  const stop = router.subscribe('onRendered', begin)
  const late = setTimeout(begin, LATE_MS)
  if (router.state.status === 'idle') begin()
  return cancel
}
