import { withoutPersons } from '@cellarhand/contract/without-persons'
import { config } from '../calls/config.ts'
import { COMMAND_MS, withLimit } from '../calls/in-time.ts'
import { hashedUser } from './hashed-user.ts'

interface Where {
  path: string
  time: string
}

/** The most failures that one page reports to the operator, so that a broken page does not flood the server. */
const MOST = 20
const seen = new Set<string>()

/** Reports each failure once per page, up to a limit. */
export async function reportFailure(error: unknown, at: Where): Promise<void> {
  const failure = error instanceof Error ? error : new Error(String(error))
  const key = `${failure.name} ${failure.message}`
  if (seen.has(key) || seen.size >= MOST) return
  seen.add(key)
  await sendFailure(failure, at)
}

async function sendFailure(error: Error, { path, time }: Where): Promise<void> {
  // Only the hash of the user leaves the page.
  const user = await hashedUser()
  const report = {
    message: withoutPersons(`${error.name}: ${error.message}`, 2000),
    stack: withoutPersons(error.stack ?? '', 20_000),
    path: path.slice(0, 500),
    time,
    ...(user !== undefined && { user }),
  }
  if (config.sentryDsn !== '') {
    const { captureInSentry } = await import('./sentry.ts')
    captureInSentry(error, user)
  }
  await withLimit(COMMAND_MS, undefined, (signal) =>
    fetch(`${config.apiBase}/insights/v1/errors`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(report),
      credentials: 'omit',
      keepalive: true,
      signal,
    }),
  ).catch(() => undefined)
}
