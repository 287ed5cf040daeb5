import { withoutPersons } from '@cellarhand/contract/without-persons'
import type { ErrorEvent } from '@sentry/node'
import type { HealthRecord } from '#platform/outside/health.ts'
import { createOutside, type Outside } from '#platform/outside/outside.ts'
import { ProviderError } from '#platform/outside/provider-error.ts'

export interface ErrorReports {
  /** `call` is a line of the contract, never an address with its values. */
  capture(error: unknown, facts?: { call?: string | undefined; requestId?: string | undefined }): void
  /** Forwards an envelope of the dashboard; false if it is for another project. */
  forward(envelope: string): Promise<boolean>
  close(): Promise<void>
}

const silent: ErrorReports = {
  capture: () => undefined,
  forward: async () => false,
  close: async () => undefined,
}

const closeMs = 2_000
const messageLength = 2_000
/** The dashboard waits for its envelope. */
const sendMs = 5_000

export const sentryName = 'Sentry'

interface SentrySettings {
  readonly sentryDsn: string | undefined
  readonly release: string
}

/** Sentry, loaded only if a DSN is set. It collects nothing beside the error: no request, user, variable or body. */
export async function openErrorReports(
  { sentryDsn: dsn, release }: SentrySettings,
  health: HealthRecord,
): Promise<ErrorReports> {
  if (dsn === undefined) return silent
  const outside = createOutside({ provider: sentryName, health, timeoutMs: sendMs, budgetMs: sendMs })
  const { createTransport, defaultStackParser, NodeClient, Scope } = await import('@sentry/node')
  const client = new NodeClient({
    dsn,
    release,
    integrations: [],
    stackParser: defaultStackParser,
    // The library's own transport waits for ever on a silent server, and keeps no record.
    transport: (options) =>
      createTransport(options, async ({ body }) => {
        const limits = await sendEnvelope(outside, options.url, body)
        return { headers: { 'x-sentry-rate-limits': limits, 'retry-after': null } }
      }),
    tracesSampleRate: 0,
    sendClientReports: false,
    includeServerName: false,
    dataCollection: {
      userInfo: false,
      cookies: false,
      httpHeaders: false,
      httpBodies: [],
      urlQueryParams: false,
      databaseQueryData: false,
      queues: false,
      stackFrameVariables: false,
    },
    beforeSend: scrubbed,
  })
  client.init()
  return {
    capture(error, { call, requestId } = {}) {
      const scope = new Scope()
      scope.setClient(client)
      if (call !== undefined) scope.setTag('call', call)
      if (requestId !== undefined) scope.setTag('request_id', requestId)
      client.captureException(error, undefined, scope)
    },
    forward: (envelope) => forwardEnvelope(outside, dsn, envelope),
    async close() {
      await client.close(closeMs)
    },
  }
}

function scrubbed(event: ErrorEvent): ErrorEvent {
  const { request: _request, user: _user, breadcrumbs: _breadcrumbs, extra: _extra, ...rest } = event
  for (const exception of rest.exception?.values ?? [])
    if (exception.value !== undefined) exception.value = withoutPersons(exception.value, messageLength)
  return rest
}

/** The dashboard may call only its own origin, so its envelopes go through here; to our own project only. */
async function forwardEnvelope(outside: Outside, dsn: string, envelope: string): Promise<boolean> {
  const header = headerOf(envelope)
  if (header === undefined || (header.dsn ?? dsn) !== dsn) return false
  const { protocol, host, pathname, username } = new URL(dsn)
  const parts = pathname.split('/')
  const project = parts.pop() ?? ''
  const target = `${protocol}//${host}${parts.join('/')}/api/${project}/envelope/?sentry_key=${username}&sentry_version=7`
  await sendEnvelope(outside, target, envelope)
  return true
}

/** Passes on Sentry's wish for a pause. Whether the envelope arrived goes only into the record of providers. */
async function sendEnvelope(
  outside: Outside,
  url: string,
  body: string | Uint8Array,
): Promise<string | null> {
  const headers = { 'content-type': 'application/x-sentry-envelope' }
  try {
    const answer = await outside.call({ method: 'POST', url, headers, body, expect: 'bytes' })
    return answer.headers.get('x-sentry-rate-limits')
  } catch (error) {
    if (error instanceof ProviderError) return null
    throw error
  }
}

function headerOf(envelope: string): { dsn?: unknown } | undefined {
  try {
    const header: unknown = JSON.parse(envelope.split('\n', 1)[0] ?? '')
    return typeof header === 'object' && header !== null && !Array.isArray(header) ? header : undefined
  } catch {
    return undefined
  }
}
