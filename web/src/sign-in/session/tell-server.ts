import { call, CallError } from '#lib/calls/call.ts'
import { createStore } from '#lib/kept/store.ts'
import { note } from './account-state.ts'

const AGAIN_MS = 5_000

/** Whether the server knows by now that a session ended here without a line. */
export const isServerTold = createStore(false)

let telling: string | undefined

/**
 * Ends the session at the server once the line is back. Only this page's memory has the token: a device that kept it
 * would not have signed out (decision 0096).
 */
export function tellServer(token: string): void {
  if (telling === token) return
  telling = token
  void tell(token)
}

async function tell(token: string): Promise<void> {
  isServerTold.set(false)
  while (!(await isTold(token))) await pause()
  telling = undefined
  isServerTold.set(true)
  note({ untold: null })
}

async function isTold(token: string): Promise<boolean> {
  try {
    await call('POST /a/v2/logout', { body: {} }, { auth: { bearer: token } })
    return true
  } catch (error) {
    // The session is over already. A busy server's refusal says nothing of it.
    return error instanceof CallError && error.status === 401
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      removeEventListener('online', done)
      resolve()
    }
    const timer = setTimeout(done, AGAIN_MS)
    addEventListener('online', done)
  })
}
