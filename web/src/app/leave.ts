import { forgetSelection } from '#orders/public.ts'
import { goOnSignedOut } from '#lib/calls/call.ts'
import { DECISIONS_LOCK } from '#lib/kept/not-sent.ts'
import { takeKeys } from '#lib/keys/keyboard.ts'
import { signInPage, signOut } from '#sign-in/public.ts'
import { endPush } from './end-push.ts'
import { startOver } from './start-over.ts'

/** Ends the session here and on the server; a full page load drops every bit of client state. */
export async function leave(): Promise<void> {
  const keys = takeKeys(null)
  let openSignIn!: () => void
  const mayOpen = new Promise<void>((resolve) => (openSignIn = resolve))
  signInPage.free = () => mayOpen
  const ended = endPush()
  if (await signOut()) {
    await Promise.all([ended, decisionsDropped()])
    return startOver()
  }
  // A page load would lose the token, with which the server is told once the line is back.
  forgetSelection()
  keys.giveBack()
  openSignIn()
  goOnSignedOut()
}

const DROP_MS = 1_000

/** The page load would cut off the change that the sign-out has begun; the next one waits for that change. */
async function decisionsDropped(): Promise<void> {
  if (!('locks' in navigator)) return
  const signal = AbortSignal.timeout(DROP_MS)
  await navigator.locks.request(DECISIONS_LOCK, { signal }, () => undefined).catch(() => undefined)
}
