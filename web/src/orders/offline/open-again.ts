import type { QueryClient } from '@tanstack/react-query'
import { CallError } from '#lib/calls/call.ts'
import { isReached } from '#lib/calls/is-reached.ts'
import { storedToken } from '#lib/kept/stored-session.ts'
import { handOver, session } from '#sign-in/public.ts'
import { liveState } from '../state/live-state.ts'
import { detailLine, listLine } from '../state/queries.ts'

const LOOK_MS = 500
/** From the moment at which the page can ask for its orders. The look at the line takes up to five seconds more. */
const PATIENCE_MS = 3_000

/**
 * The server gave the page, and the line was lost before its orders came: the page loads again, from the worker, with
 * what the device kept. It never does so under the clerk's hands. `hasKept` tells whether the device has the orders of
 * this address.
 */
export async function openAgain(queryClient: QueryClient, hasKept: () => Promise<boolean>): Promise<void> {
  const mayOpen = (): boolean => isWithoutOrders(queryClient) && !isInUse(queryClient)
  let { loggedIn: known } = session.get()
  let since = known === null ? 0 : Date.now()
  while (isWithoutOrders(queryClient)) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    const { loggedIn } = session.get()
    if (known !== loggedIn || handOver.get() !== null) since = Date.now()
    known = loggedIn
    if (Date.now() - since < PATIENCE_MS || !mayOpen()) continue
    // A server that answers has its own reasons, and the page shows them.
    if (await isReached()) since = Date.now()
    else if (!(await hasKept())) return
    else if (mayOpen()) return location.reload()
  }
}

/** No order has come, and no answer says why. */
function isWithoutOrders(queryClient: QueryClient): boolean {
  if (!location.pathname.startsWith('/orders') || liveState.get().kind === 'live') return false
  if (storedToken() === null || session.get().loggedIn === false) return false
  const asked = queryClient
    .getQueryCache()
    .getAll()
    .filter(({ queryKey: [line] }) => line === listLine || line === detailLine)
  return asked.every(({ state }) => state.data === undefined && !(state.error instanceof CallError))
}

function isInUse(queryClient: QueryClient): boolean {
  if (handOver.get() !== null || queryClient.isMutating() > 0) return true
  if (document.querySelector('dialog[open], [role=dialog], [role=menu], :is(input, textarea):focus'))
    return true
  const fields = document.querySelectorAll<HTMLInputElement>('input:is([type=text], [type=search])')
  return [...fields].some(({ value }) => value !== '')
}
