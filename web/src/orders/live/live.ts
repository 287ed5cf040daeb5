import type { QueryClient } from '@tanstack/react-query'
import { isReached } from '#lib/calls/is-reached.ts'
import { loadInTime } from '#lib/parts/lazy-part.ts'
import { merchantKey, session } from '#sign-in/public.ts'
import { toastWithAction } from '#ui/notes/toasts.tsx'
import { askAlarms, forgetAlarms, toldAlarms } from '../state/alarms.ts'
import type { Desk } from '../offline/newer-build.ts'
import { liveState, POLL_MS } from '../state/live-state.ts'

const AGAIN_MS = 5_000

const liveDesk = () => import('./live-desk.ts')

/** Shows what the device kept, on a page that no server gave, or whose orders do not come. Never fails. */
export function openKept(desk: Desk): Promise<void> {
  return liveDesk()
    .then((part) => part.openKept(desk))
    .catch(() => undefined)
}

let merchantOnLine: string | undefined

/**
 * Keeps the lists, the open order and the counts up to date for as long as the session lasts. Like the cached lists, it
 * survives a change of the frame around the page, so that a page with another frame, or none, misses nothing.
 */
export function startLive(queryClient: QueryClient, tmk: string): void {
  if (merchantOnLine === tmk) return
  merchantOnLine = tmk
  const line = new Line(queryClient, tmk)
  const unlisten = session.listen(() => {
    const { loggedIn, lacksSecondStep } = session.get()
    if (loggedIn && !lacksSecondStep && merchantKey() === tmk) return
    unlisten()
    line.end()
    merchantOnLine = undefined
    liveState.set({ kind: 'connecting' })
  })
  void line.open()
}

/** The part that reads the stream is fetched once the page is shown. Until it arrives, the page asks the server. */
class Line {
  private readonly queryClient: QueryClient
  private readonly tmk: string
  private readonly began = Date.now()
  private readonly asking: ReturnType<typeof setInterval>
  private isOver = false
  private isOffered = false
  private close = (): void => undefined

  constructor(queryClient: QueryClient, tmk: string) {
    this.queryClient = queryClient
    this.tmk = tmk
    this.asking = setInterval(() => void this.ask(), POLL_MS)
  }

  async open(): Promise<void> {
    while (!this.isOver) {
      const desk = await loadInTime(liveDesk).catch(() => undefined)
      if (this.isOver) return
      if (desk) {
        clearInterval(this.asking)
        this.close = desk.openLiveDesk(this.queryClient, this.tmk)
        return
      }
      liveState.set({ kind: 'reconnecting', since: this.began })
      await this.offerReload()
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
    }
  }

  end(): void {
    this.isOver = true
    clearInterval(this.asking)
    this.close()
    forgetAlarms()
  }

  /** The server answers but the part is missing: probably a newer version of the desk was installed. */
  private async offerReload(): Promise<void> {
    if (this.isOffered || !(await isReached()) || this.isOver) return
    this.isOffered = true
    const detail = 'Changes are shown every 30 seconds until you reload the page.'
    toastWithAction('A part of this page is missing', detail, {
      label: 'Reload',
      act: () => location.reload(),
    })
  }

  private async ask(): Promise<void> {
    const [told] = await Promise.all([askAlarms(this.tmk), this.queryClient.invalidateQueries()])
    if (told && !this.isOver && liveState.get().kind !== 'live') toldAlarms.set(told)
  }
}
