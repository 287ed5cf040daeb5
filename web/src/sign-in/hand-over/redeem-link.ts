import type { Reply } from '#lib/calls/call.ts'
import { call, CallError } from '#lib/calls/call.ts'
import { lazyPart } from '#lib/parts/lazy-part.ts'
import { isSameUser, storedToken, whenStoredElsewhere } from '#lib/kept/stored-session.ts'
import { takeBackFailure, tellFailure, toast } from '#ui/notes/toasts.tsx'
import { note } from '../session/account-state.ts'
import { handOver, type SignInLink } from './hand-over.ts'
import { nameOf } from '../session/name-of.ts'
import { session, sessionKnown, startSession } from '../session/session.ts'

type Started = Reply<'POST /a/v2/sessions/handover'>

const LIMIT_MS = 15_000
const action = 'sign-in link'

// Only this page holds the link, so a reload would lose it.
export const HandOverDialog = lazyPart(() => import('./hand-over-dialog.tsx'), 'HandOverDialog', {
  canReload: false,
})

/** Requests the link's session, and replaces the stored one only with the server's answer. */
export async function redeem(link: SignInLink): Promise<void> {
  takeBackFailure(action)
  handOver.set({ kind: 'redeeming' })
  if (storedToken() !== null) HandOverDialog.preload()
  try {
    const options = { auth: 'none', signal: AbortSignal.timeout(LIMIT_MS) } as const
    await settle(await call('POST /a/v2/sessions/handover', { body: link }, options))
  } catch (error) {
    const reason = refusalOf(error)
    if (reason !== undefined) await giveUp(reason)
    else offerRetry(() => void redeem(link))
  }
}

/** Any other error, such as a proxy's page, says nothing about the link: the same attempt may be repeated. */
function refusalOf(error: unknown): string | undefined {
  if (!(error instanceof CallError)) return undefined
  if (['bad_handover', 'handover_used', 'handover_expired'].includes(error.code)) return error.message
  return error.code === 'validation_failed' ? 'This sign-in link is not valid.' : undefined
}

/** Replaces no session, or the same user's, at once; asks before it replaces another person's. */
async function settle(started: Started): Promise<void> {
  const stored = storedToken()
  if (stored === null || isSameUser(stored, started.token)) return enter(started)
  try {
    const options = { auth: { bearer: stored }, signal: AbortSignal.timeout(LIMIT_MS) }
    ask(started, await call('GET /a/v2/sessions', {}, options))
  } catch (error) {
    const hasEnded = error instanceof CallError && error.status === 401
    if (!hasEnded) return offerRetry(() => void settleAgain(started), started)
    if (storedToken() !== stored) return settle(started)
    enter(started)
  }
}

function settleAgain(started: Started): Promise<void> {
  handOver.set({ kind: 'redeeming' })
  return settle(started)
}

function ask(started: Started, former: Started | undefined): void {
  const isAsked = (): boolean => {
    const stored = storedToken()
    if (stored === null || former === undefined) return stored === null && former === undefined
    return isSameUser(stored, former.token)
  }
  const askAgain = (): void => (storedToken() === null ? ask(started, undefined) : void settleAgain(started))
  const unlisten = whenStoredElsewhere(() => {
    if (isAsked()) return
    unlisten()
    askAgain()
  })
  const decided = (act: () => void) => () => {
    unlisten()
    if (isAsked()) act()
    else askAgain()
  }
  handOver.set({
    kind: 'asking',
    former: former?.user,
    next: started.user,
    onReplace: decided(() => enter(started)),
    onStay: decided(() => refrain(started)),
  })
}

function enter(started: Started): void {
  const former = storedToken()
  startSession(started)
  // A session of the same user stays, because other tabs have calls under way with it.
  if (former !== null && !isSameUser(former, started.token)) endOnServer(former)
  toast('success', `Signed in as ${nameOf(started.user)}.`)
  handOver.set(null)
}

function refrain(started: Started): void {
  endOnServer(started.token)
  handOver.set(null)
}

function endOnServer(token: string): void {
  const options = { auth: { bearer: token }, keepalive: true }
  call('POST /a/v2/logout', { body: {} }, options).catch(() => undefined)
}

async function giveUp(reason: string): Promise<void> {
  if (storedToken() !== null) await sessionKnown().catch(() => undefined)
  const { user } = session.get()
  if (user) tellFailure(action, `${reason} You are signed in as ${nameOf(user)}.`)
  else if (storedToken() !== null) tellFailure(action, reason)
  else {
    note({ linkProblem: `${reason} Open a new link, or sign in with your password.` })
    history.replaceState(history.state, '', '/login')
  }
  handOver.set(null)
}

function offerRetry(onRetry: () => void, started?: Started): void {
  const onGoOn = (): void => (started === undefined ? handOver.set(null) : refrain(started))
  handOver.set({ kind: 'unanswered', onRetry, onGoOn })
}
