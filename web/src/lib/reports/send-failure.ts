import { withoutPersons } from '@cellarhand/contract/without-persons'
import { config } from '../calls/config.ts'
import { COMMAND_MS, withLimit } from '../calls/in-time.ts'

interface Where {
  path: string
  user: string | undefined
  time: string
}

export async function sendFailure(error: Error, { path, user, time }: Where): Promise<void> {
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
