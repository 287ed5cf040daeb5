import type { ErrorEvent } from '@sentry/node'
import { withoutPersons } from './without-persons.ts'

export interface ErrorReports {
  /** `call` is a line of the contract, and never an address with what stood in it. */
  capture(error: unknown, facts?: { call?: string | undefined; requestId?: string | undefined }): void
  /** Hands an envelope of the dashboard on; false when it is for somebody else. */
  forward(envelope: string): Promise<boolean>
  close(): Promise<void>
}

const silent: ErrorReports = {
  capture: () => undefined,
  forward: async () => false,
  close: async () => undefined,
}

const closeMs = 2_000
const forwardMs = 5_000

/** Sentry, fetched only when a DSN is set. Nothing is collected beside the error: no request, user, variable or body. */
export async function openErrorReports({
  dsn,
  release,
}: {
  dsn: string | undefined
  release: string
}): Promise<ErrorReports> {
  if (dsn === undefined) return silent
  const { defaultStackParser, makeNodeTransport, NodeClient, Scope } = await import('@sentry/node')
  const client = new NodeClient({
    dsn,
    release,
    integrations: [],
    stackParser: defaultStackParser,
    transport: makeNodeTransport,
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
    forward: (envelope) => forwardEnvelope(dsn, envelope),
    async close() {
      await client.close(closeMs)
    },
  }
}

function scrubbed(event: ErrorEvent): ErrorEvent {
  const { request: _request, user: _user, breadcrumbs: _breadcrumbs, extra: _extra, ...rest } = event
  for (const exception of rest.exception?.values ?? [])
    if (exception.value !== undefined) exception.value = withoutPersons(exception.value)
  return rest
}

/** The dashboard may speak to its own origin alone, so its envelopes go this way; to our own project and to no other. */
async function forwardEnvelope(dsn: string, envelope: string): Promise<boolean> {
  const header = headerOf(envelope)
  if (header === undefined || (header.dsn ?? dsn) !== dsn) return false
  const { protocol, host, pathname, username } = new URL(dsn)
  const parts = pathname.split('/')
  const project = parts.pop() ?? ''
  const target = `${protocol}//${host}${parts.join('/')}/api/${project}/envelope/?sentry_key=${username}&sentry_version=7`
  await fetch(target, {
    method: 'POST',
    headers: { 'content-type': 'application/x-sentry-envelope' },
    body: envelope,
    redirect: 'manual',
    signal: AbortSignal.timeout(forwardMs),
  }).then(
    (reply) => reply.body?.cancel(),
    () => undefined,
  )
  return true
}

function headerOf(envelope: string): { dsn?: unknown } | undefined {
  try {
    const header: unknown = JSON.parse(envelope.split('\n', 1)[0] ?? '')
    return typeof header === 'object' && header !== null && !Array.isArray(header) ? header : undefined
  } catch {
    return undefined
  }
}
