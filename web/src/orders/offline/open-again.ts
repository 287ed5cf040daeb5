import type { QueryClient } from '@tanstack/react-query'
import { CallError } from '#lib/calls/call.ts'
import { openAsKept } from '#lib/device/keep-desk.ts'
import { storedToken } from '#lib/kept/stored-session.ts'
import { session } from '#sign-in/public.ts'
import { liveState } from '../state/live-state.ts'
import { detailLine, listLine } from '../state/queries.ts'

const LOOK_MS = 1_000

/**
 * The server gave the page, and the line went silent before its orders came. The page opens again with what the device
 * kept, once the clerk is in no dialog and no field. `hasKept` tells whether the device has anything for this address.
 */
export async function openAgain(queryClient: QueryClient, hasKept: () => Promise<boolean>): Promise<void> {
  while (isSilent(queryClient)) {
    if (!isInUse() && (await hasKept()) && isSilent(queryClient)) return openAsKept()
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}

/** No order has come, and no answer says why. */
function isSilent(queryClient: QueryClient): boolean {
  if (!location.pathname.startsWith('/orders') || liveState.get().kind === 'live') return false
  if (storedToken() === null || session.get().loggedIn === false) return false
  const asked = queryClient
    .getQueryCache()
    .getAll()
    .filter(({ queryKey: [line] }) => line === listLine || line === detailLine)
  return asked.every(({ state }) => state.data === undefined && !(state.error instanceof CallError))
}

function isInUse(): boolean {
  return document.querySelector('dialog[open], [role=dialog], input:focus, textarea:focus') !== null
}
