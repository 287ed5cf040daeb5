import { call, CallError } from '#lib/calls/call.ts'
import { storedToken } from '#lib/kept/stored-session.ts'
import { note } from './account-state.ts'
import { endSession } from './session.ts'

/** The device forgets the session at once. False if the server could not be told; the sign-in page then goes on. */
export async function signOut(): Promise<boolean> {
  const untold = storedToken()
  const telling = call('POST /a/v2/logout', { body: {} }, { limitMs: 1_000 })
  endSession()
  try {
    await telling
    return true
  } catch (error) {
    if (error instanceof CallError && error.status === 401) return true
    note({ untold })
    return false
  }
}
