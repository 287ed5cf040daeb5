import { whenCallFails } from '../calls/call.ts'

/** What went wrong in this page, for who runs the server. It never disturbs whoever is at work. */
const MOST = 20
const seen = new Set<string>()
let userHash: string | undefined

export function reportAs(hash: string | undefined): void {
  userHash = hash
}

/** Each failure once per page, and no more than some. */
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

/** Errors that nobody caught, calls that the server failed, and those that React caught for a page that had to be replaced. */
export function startErrorReports(): void {
  whenCallFails(noteFailure)
  addEventListener('error', ({ error, message }) => noteFailure(error ?? message))
  addEventListener('unhandledrejection', ({ reason }) => noteFailure(reason))
}
