import { withoutPersons } from '@cellarhand/contract/without-persons'
import { BrowserClient, createTransport, defaultStackParser, dedupeIntegration, Scope } from '@sentry/browser'
import { config } from '../calls/config.ts'
import { COMMAND_MS, withLimit } from '../calls/in-time.ts'

/**
 * A client of our own instead of Sentry's `init`, which hooks, records and collects. The page may call only its own
 * server (Content-Security-Policy), and that server forwards the envelope.
 */
function openClient(): Scope {
  const client = new BrowserClient({
    dsn: config.sentryDsn,
    release: config.release,
    integrations: [dedupeIntegration()],
    stackParser: defaultStackParser,
    sendClientReports: false,
    dataCollection: {
      userInfo: false,
      cookies: false,
      httpHeaders: false,
      httpBodies: [],
      urlQueryParams: false,
      stackFrameVariables: false,
    },
    beforeSend: (event) => {
      const { request: _request, breadcrumbs: _breadcrumbs, ...rest } = event
      for (const exception of rest.exception?.values ?? [])
        if (exception.value !== undefined) exception.value = withoutPersons(exception.value, 2000)
      return rest
    },
    transport: (options) =>
      createTransport(options, async ({ body }) => {
        const envelope = typeof body === 'string' ? body : new TextDecoder().decode(body)
        const reply = await withLimit(COMMAND_MS, undefined, (signal) =>
          fetch('/insights/v1/envelopes', {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ envelope }),
            credentials: 'omit',
            keepalive: true,
            signal,
          }),
        )
        return { statusCode: reply.status }
      }),
  })
  const scope = new Scope()
  scope.setClient(client)
  client.init()
  return scope
}

let scope: Scope | undefined

export function captureInSentry(error: Error, user: string | undefined): void {
  scope ??= openClient()
  scope.setUser(user === undefined ? null : { id: user })
  scope.captureException(error)
}
