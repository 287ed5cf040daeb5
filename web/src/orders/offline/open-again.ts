import type { QueryClient } from '@tanstack/react-query'
import { CallError } from '#lib/calls/call.ts'
import { isReached } from '#lib/calls/is-reached.ts'
import { storedToken } from '#lib/kept/stored-session.ts'
import { handOver, isMerchantMember, session } from '#sign-in/public.ts'
import { liveState } from '../state/live-state.ts'
import { detailLine, listLine } from '../state/queries.ts'
import { ownBuild } from './newer-build.ts'

const LOOK_MS = 500
/** From the moment at which the page can ask for its orders. The look at the line takes up to five seconds more. */
const PATIENCE_MS = 3_000
/** A server that answers some calls alone must not be asked for page after page. */
const BETWEEN_MS = 30_000
const OPENED = 'cellarhand-opened-again'

/**
 * The server gave the page, and the line was lost before its orders came: the page loads again, from the worker, with
 * what the device kept. It never does so under the clerk's hands. `hasKept` tells whether the device has the orders of
 * this address.
 */
export async function openAgain(queryClient: QueryClient, hasKept: () => Promise<boolean>): Promise<void> {
  let { loggedIn: known } = session.get()
  let since = known === null ? 0 : Date.now()
  while (isWithoutOrders(queryClient)) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    const { loggedIn } = session.get()
    if (known !== loggedIn || handOver.get() !== null) since = Date.now()
    known = loggedIn
    if (Date.now() - since < PATIENCE_MS || isInUse(queryClient) || isRecent()) continue
    // A server that answers has its own reasons, and the page shows them.
    if (await isReached()) since = Date.now()
    else if (!(await hasWorkersPage()) || !(await hasKept())) return
    else if (known === session.get().loggedIn && isWithoutOrders(queryClient) && !isInUse(queryClient))
      return loadAgain()
  }
}

/** No order has come, and no answer says why. */
function isWithoutOrders(queryClient: QueryClient): boolean {
  if (!location.pathname.startsWith('/orders') || storedToken() === null) return false
  const { loggedIn } = session.get()
  if (loggedIn === false || (loggedIn && !isMerchantMember())) return false
  const asked = queryClient
    .getQueryCache()
    .getAll()
    .filter(({ queryKey: [line] }) => line === listLine || line === detailLine)
  return asked.every(({ state }) => state.data === undefined && !(state.error instanceof CallError))
}

function isInUse(queryClient: QueryClient): boolean {
  if (liveState.get().kind === 'live' || handOver.get() !== null || queryClient.isMutating() > 0) return true
  const open = 'dialog[open], [role=dialog], [role=menu], [aria-expanded=true], :is(input, textarea):focus'
  if (document.querySelector(open)) return true
  const fields = document.querySelectorAll<HTMLInputElement>(
    'input:not([type=checkbox], [type=radio]), textarea',
  )
  return [...fields].some(({ value }) => value !== '')
}

/** After an update the worker may have no page, or that of another build. */
async function hasWorkersPage(): Promise<boolean> {
  const page = await caches.match('/').catch(() => undefined)
  return page !== undefined && (await page.text()).includes(ownBuild())
}

function isRecent(): boolean {
  try {
    return Date.now() - Number(sessionStorage.getItem(OPENED)) < BETWEEN_MS
  } catch {
    return true
  }
}

function loadAgain(): void {
  sessionStorage.setItem(OPENED, String(Date.now()))
  location.reload()
}
