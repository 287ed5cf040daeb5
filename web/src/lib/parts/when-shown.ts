import type { AnyRouter } from '@tanstack/react-router'
import { afterPaint } from './after-paint.ts'

/** Acts once the page is on the screen with its loaded data; returns the function that cancels it. */
export function whenShown(router: AnyRouter, act: () => void): () => void {
  if (router.state.status === 'idle') {
    afterPaint(act)
    return () => undefined
  }
  const stop = router.subscribe('onRendered', () => {
    stop()
    afterPaint(act)
  })
  return stop
}
