import { createStore } from '#lib/kept/store.ts'

export interface AccountState {
  signedUp: boolean
  /** Whom the reset link was mailed to, and whether it was asked for again. */
  emailSent: { email: string; isResend: boolean } | null
  passwordUpdated: boolean
  /** Why a sign-in link did not work, for the person who has to sign in by hand instead. */
  linkProblem: string | null
}

const untouched: AccountState = {
  signedUp: false,
  emailSent: null,
  passwordUpdated: false,
  linkProblem: null,
}

/** What happened on the way to a session (AUTH-024 to AUTH-026). */
export const accountState = createStore<AccountState>(untouched)

export function note(change: Partial<AccountState>): void {
  accountState.set({ ...accountState.get(), ...change })
}

/** A page of the reset begins without what an earlier visit left (AUTH-015). */
export function clearResetState(): void {
  note({ emailSent: null, passwordUpdated: false })
}
