import type { QueryClient } from '@tanstack/react-query'
import { loadPatiently } from '#lib/lazy-part.ts'
import { merchantKey, session } from '#sign-in/public.ts'
import { liveState } from './live-state.ts'

let merchantOnLine: string | undefined

/**
 * Keeps the lists, the open order and the counts as the server has them for as long as the session lasts. The cached
 * lists outlive the frame around a page, and so does this: a page with another frame, or with none, misses nothing.
 */
export function startLive(queryClient: QueryClient, tmk: string): void {
  if (merchantOnLine === tmk) return
  merchantOnLine = tmk
  let isOver = false
  let close = (): void => undefined
  const unlisten = session.listen(() => {
    const { loggedIn, lacksSecondStep } = session.get()
    if (loggedIn && !lacksSecondStep && merchantKey() === tmk) return
    unlisten()
    close()
    isOver = true
    merchantOnLine = undefined
    liveState.set({ kind: 'connecting' })
  })
  void loadPatiently(() => import('./live-desk.ts'), Infinity).then(({ openLiveDesk }) => {
    if (!isOver) close = openLiveDesk(queryClient, tmk)
  })
}
