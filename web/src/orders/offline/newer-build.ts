import type { QueryClient } from '@tanstack/react-query'
import { withLimit } from '#lib/calls/in-time.ts'
import { dropKeptPage } from '#lib/device/keep-desk.ts'
import { toastWithAction } from '#ui/notes/toasts.tsx'
import { liveState } from '../state/live-state.ts'

export interface Desk {
  readonly queryClient: QueryClient
  readonly router: {
    invalidate: () => Promise<void>
    subscribe: (event: 'onResolved', react: (told: { pathChanged: boolean }) => void) => () => void
  }
}

/** After so much silence the page counts the line as lost. */
const LIMIT_MS = 5_000

export type Build = 'this' | 'another'

/** Whether the server's page is this one. Undefined without an answer of the desk. */
export async function liveBuild(): Promise<Build | undefined> {
  try {
    const html = await withLimit(LIMIT_MS, undefined, async (signal) => {
      const reply = await fetch('/', { cache: 'no-store', headers: { accept: 'text/html' }, signal })
      return reply.ok ? reply.text() : ''
    })
    const live = partsOf(new DOMParser().parseFromString(html, 'text/html'))
    if (!live.script.includes('/index-')) return undefined
    const own = partsOf(document)
    return live.script === own.script && live.config === own.config ? 'this' : 'another'
  } catch {
    return undefined
  }
}

/** What makes a page's build: its first script, and the settings that the server writes into the page. */
function partsOf(page: Document): { script: string; config: string } {
  const script = page.querySelector('script[type=module]')?.getAttribute('src') ?? ''
  const config = page.querySelector('[name=cellarhand-config]')?.getAttribute('content') ?? ''
  return { script, config }
}

export function ownBuild(): string {
  return partsOf(document).script
}

let isTouched = false

/** From the first press on, the page is the clerk's work. */
export function followTouch(): void {
  const touch = (): void => void (isTouched = true)
  for (const press of ['keydown', 'pointerdown'])
    addEventListener(press, touch, { capture: true, once: true })
}

/** Leaves this page for the newer build if there is one: at once if nobody has begun on it, else between two pages. */
export async function followBuild(
  { queryClient, router }: Desk,
  known: Build | undefined,
  sessionAsked: Promise<void> | undefined,
): Promise<void> {
  if ((known ?? (await liveBuild())) !== 'another') return
  // Else a slow line would open it again.
  await dropKeptPage()
  if (!isTouched) return location.reload()
  router.subscribe('onResolved', ({ pathChanged }) => {
    // Without a line there is no page to go to. An outcome under way is told on this page.
    const isThere = liveState.get().kind === 'live' && location.pathname.startsWith('/orders')
    if (pathChanged && isThere && queryClient.isMutating() === 0) location.reload()
  })
  // The session's answer removes what the page offered before it.
  await sessionAsked
  toastWithAction('A newer version of the desk is there', 'The next page that you open is of that version.', {
    label: 'Reload',
    act: () => location.reload(),
  })
}
