import { createStore } from '#lib/kept/store.ts'

export interface AccountState {
  signedUp: boolean
  /** The reset link's recipient, and whether the link was requested again. */
  emailSent: { email: string; isResend: boolean } | null
  passwordUpdated: boolean
  /** Why a sign-in link did not work, for a person who must now sign in by hand. */
  linkProblem: string | null
  /** The token of a session that ended here while the server could not be told. Only this page still has it. */
  untold?: string | null
  /** The page that was open when the server refused a session, and the id of its person. */
  left?: { page: string; by: string } | null
}

const untouched: AccountState = {
  signedUp: false,
  emailSent: null,
  passwordUpdated: false,
  linkProblem: null,
}

/** Events on the way to a session (AUTH-024 to AUTH-026). */
export const accountState = createStore<AccountState>(untouched)

export function note(change: Partial<AccountState>): void {
  accountState.set({ ...accountState.get(), ...change })
}

/** A page of the reset starts without the state of an earlier visit (AUTH-015). */
export function clearResetState(): void {
  note({ emailSent: null, passwordUpdated: false })
}
