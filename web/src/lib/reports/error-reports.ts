import { whenCallFails } from '../calls/call.ts'

/** The most failures that one page reports to the operator, so that a broken page does not flood the server. */
const MOST = 20
const seen = new Set<string>()
let userHash: string | undefined

export function reportAs(hash: string | undefined): void {
  userHash = hash
}

/** Reports each failure once per page, up to a limit. */
function noteFailure(error: unknown): void {
  const failure = error instanceof Error ? error : new Error(String(error))
  const key = `${failure.name} ${failure.message}`
  if (seen.has(key) || seen.size >= MOST) return
  seen.add(key)
  const at = { path: location.pathname, user: userHash, time: new Date().toISOString() }
  void import('./send-failure.ts').then(
    ({ sendFailure }) => sendFailure(failure, at),
    () => undefined,
  )
}

/**
 * Reports uncaught errors, calls that the server failed, and errors that React caught for a page that it had to
 * replace.
 */
export function startErrorReports(): void {
  whenCallFails(noteFailure)
  addEventListener('error', ({ error, message }) => noteFailure(error ?? message))
  addEventListener('unhandledrejection', ({ reason }) => noteFailure(reason))
}
