import type { Reply } from '#lib/call.ts'
import { call, CallError } from '#lib/call.ts'
import { newId } from '#lib/new-id.ts'
import { createStore } from '#lib/store.ts'
import { isSameUser, storedToken, whenStoredElsewhere } from '#lib/stored-session.ts'
import { toast } from '#ui/toasts.tsx'
import { note } from './account-state.ts'
import { HandOverDialog } from './lazy-parts.ts'
import { nameOf } from './name-of.ts'
import { session, sessionKnown, startSession, type User } from './session.ts'

type Started = Reply<'POST /a/v2/sessions/handover'>

/** How far a sign-in link has come. */
export type HandOver =
  | { kind: 'redeeming' }
  | { kind: 'unanswered'; hasSession: boolean; onRetry: () => void; onGoOn: () => void }
  | {
      kind: 'asking'
      /** Who is signed in; undefined when that session has ended while this was asked. */
      former: User | undefined
      next: User
      onStay: () => void
      onReplace: () => void
    }

/** Of the link that opened this page; null once it is decided what becomes of it, and on every other page. */
export const handOver = createStore<HandOver | null>(null)

const LIMIT_MS = 15_000

/**
 * Takes a sign-in link's token out of the address before anything else can read it there (GAP-38). It stays in memory:
 * the stored session is replaced only by one that the server has answered.
 */
export function takeHandOver(): void {
  const address = new URL(location.href)
  const token = address.searchParams.get('jwt')
  const merchant = address.searchParams.get('tmk')
  if (token === null && merchant === null) return
  address.searchParams.delete('jwt')
  address.searchParams.delete('tmk')
  history.replaceState(history.state, '', address)
  if (token && merchant) void redeem({ token, merchant, attempt: newId() })
}

async function redeem(link: { token: string; merchant: string; attempt: string }): Promise<void> {
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

/** Anything else, such as a proxy's page, is no word about the link: the same attempt may be made again. */
function refusalOf(error: unknown): string | undefined {
  if (!(error instanceof CallError)) return undefined
  if (['bad_handover', 'handover_used', 'handover_expired'].includes(error.code)) return error.message
  return error.code === 'validation_failed' ? 'This sign-in link is not valid.' : undefined
}

/** Replaces a session of the same user, or of nobody, at once; asks before it replaces somebody else's. */
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
  // A session of the same user stays: other tabs have calls under way with it.
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
  if (user) toast('error', `${reason} You are signed in as ${nameOf(user)}.`)
  else if (storedToken() !== null) toast('error', reason)
  else {
    note({ linkProblem: `${reason} Open a new link, or sign in with your password.` })
    history.replaceState(history.state, '', '/login')
  }
  handOver.set(null)
}

function offerRetry(onRetry: () => void, started?: Started): void {
  const onGoOn = (): void => (started === undefined ? handOver.set(null) : refrain(started))
  handOver.set({ kind: 'unanswered', hasSession: storedToken() !== null, onRetry, onGoOn })
}
