import { track } from '#lib/reports/analytics.ts'
import type { Reply } from '#lib/calls/call.ts'
import { call, CallError } from '#lib/calls/call.ts'
import {
  noMerchant,
  clearStoredSession,
  isStillStored,
  storedToken,
  storeMerchantKey,
  storeToken,
} from '#lib/kept/stored-session.ts'
import { createStore } from '#lib/kept/store.ts'
import { dismissActions } from '#ui/notes/toasts.tsx'
import { note } from './account-state.ts'

export type User = Reply<'POST /a/v2/sessions'>['user']

export interface Session {
  /** null while the server checks a stored token. */
  loggedIn: boolean | null
  user: User | null
  /** The last login or token login failed. A token login without an answer may be repeated. */
  failed: boolean
  /** The merchant requires a second step that this person has not set up yet. */
  lacksSecondStep?: boolean
}

const signedOut: Session = { loggedIn: false, user: null, failed: false }

export const session = createStore<Session>({ loggedIn: null, user: null, failed: false })

let tokenLogin: Promise<void> | undefined

/** Resolves once the stored token is known to be good or bad; asks the server once. */
export function sessionKnown(): Promise<void> {
  const { loggedIn } = session.get()
  // A page without a session may find one that another tab has begun since.
  if (loggedIn || (loggedIn === false && storedToken() === null)) return Promise.resolve()
  tokenLogin ??= checkStoredToken().finally(() => (tokenLogin = undefined))
  return tokenLogin
}

async function checkStoredToken(): Promise<void> {
  const sent = storedToken()
  if (!sent) return session.set(signedOut)
  try {
    const reply = await call('GET /a/v2/sessions')
    if (!isStillStored({ sent, renewed: reply.token })) return checkStoredToken()
    startSession(reply)
  } catch (error) {
    if (error instanceof CallError && error.status === 401) return endSession()
    session.set({ loggedIn: null, user: null, failed: true })
    throw error
  }
}

interface Credentials {
  email: string
  password: string
  /** The second step's code, for people who use one. */
  code?: string
}

export async function signIn(credentials: Credentials): Promise<void> {
  try {
    const started = await call('POST /a/v2/sessions', { body: credentials }, { auth: 'app' })
    startSession(started)
    track('Login', { roles: started.user.roles.map(({ name }) => name).join(' ') })
  } catch (error) {
    session.set({ ...signedOut, failed: true })
    throw error
  }
}

/** After a new password, which ends every session; false if the person must sign in by hand. */
export async function signInAgain(email: string, password: string): Promise<boolean> {
  try {
    await signIn({ email, password })
    return true
  } catch {
    endSession()
    return false
  }
}

export function updateUser(user: User): void {
  session.set({ ...session.get(), user })
}

/** Fetches the user's record when the e-mail is not yet known (PROF-007). */
export async function userKnown(): Promise<void> {
  const { user } = session.get()
  if (user && !user.email) updateUser(await call('GET /a/v2/users/{id}', { params: { id: user.id } }))
}

export function endSession(): void {
  clearTimeout(renewal)
  clearStoredSession()
  dismissActions()
  session.set(signedOut)
}

export function setLacksSecondStep(lacksSecondStep: boolean): void {
  session.set({ ...session.get(), lacksSecondStep })
}

export function isMerchantMember(): boolean {
  return session.get().user?.aux_data.authorized_merchant != null
}

export function merchantKey(): string {
  return session.get().user?.aux_data.authorized_merchant ?? noMerchant
}

const RENEW_AFTER_MS = 4 * 60 * 60_000
let renewal: ReturnType<typeof setTimeout> | undefined

/** A till stays open all day, so the token is renewed long before it expires. */
function renewLater(): void {
  clearTimeout(renewal)
  renewal = setTimeout(
    () =>
      void renew()
        .catch(() => undefined)
        .finally(renewLater),
    RENEW_AFTER_MS,
  )
}

async function renew(): Promise<void> {
  const sent = storedToken()
  if (sent === null) return
  const { token } = await call('GET /a/v2/sessions')
  if (isStillStored({ sent, renewed: token })) storeToken(token)
}

export function startSession({ token, user }: Reply<'POST /a/v2/sessions'>): void {
  storeToken(token)
  dismissActions()
  const key = user.aux_data.authorized_merchant
  if (key) storeMerchantKey(key)
  session.set({ loggedIn: true, user, failed: false })
  note({ linkProblem: null, left: null })
  renewLater()
}
