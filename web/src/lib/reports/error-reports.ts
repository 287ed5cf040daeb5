import { whenCallFails } from '../calls/call.ts'

function noteFailure(error: unknown): void {
  const at = { path: location.pathname, time: new Date().toISOString() }
  void import('./send-failure.ts').then(
    ({ reportFailure }) => reportFailure(error, at),
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
