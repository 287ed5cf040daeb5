import {
  isAlive,
  isReady,
  readMetrics,
  reportError,
  takeEnvelope,
  takeEvents,
} from '@cellarhand/contract/insights'
import { withoutPersons } from '@cellarhand/contract/without-persons'
import type { FastifyRequest } from 'fastify'
import { countTry } from '#platform/db/rate-limit.ts'
import type { Database } from '#platform/db/database.ts'
import { networkOf } from '#platform/http/network.ts'
import { refuse } from '#platform/http/refuse.ts'
import type { Http } from '#platform/http/server.ts'
import { readBasicCredential, sameSecret } from '#platform/same-secret.ts'
import type { Readiness } from '#platform/readiness.ts'
import type { Metrics } from './metrics.ts'
import type { EventSink } from './segment.ts'
import type { ErrorReports } from './sentry.ts'

export interface InsightsDeps {
  readonly db: Database
  /** Whether the process was told to stop, and only finishes its present work. */
  readonly isLeaving: () => boolean
  readonly readiness: Readiness
  readonly metrics: Metrics
  /** name:secret; open in the demo, which listens on this machine alone; without one nobody is told. */
  readonly metricsCredential: string | undefined
  readonly errorReports: ErrorReports
  readonly events: EventSink | undefined
  readonly reportUrl: string | undefined
}

const reportsPerWindow = 60
const windowSeconds = 600
const messageLength = 500
const stackLength = 4_000
const stackLines = 12
const handOnMs = 5_000
const retryAfterSeconds = 2

export function serveInsights({ serve }: Http, deps: InsightsDeps): void {
  const { db, isLeaving, readiness, metrics, errorReports, events, reportUrl } = deps
  serve(isAlive, async () => ({ status: 'ok' as const }))
  serve(isReady, async () => {
    if (isLeaving()) refuse('leaving')
    const errors = await readiness.failures()
    if (errors.database !== undefined) refuse('database_unavailable', { errors, retryAfterSeconds })
    if (errors.files !== undefined) refuse('files_unavailable', { errors, retryAfterSeconds })
    return { status: 'ok' as const }
  })
  serve(readMetrics, async ({ request, reply }) => {
    requireMetricsCredential(request, deps.metricsCredential)
    return reply.type(metrics.contentType).send(await metrics.render())
  })
  serve(reportError, async ({ body, request }) => {
    if (await isTooMuch(db, request)) return {}
    metrics.countClientError()
    const { message, stack, path, user, time } = body
    const report = {
      message: withoutPersons(message, messageLength),
      stack: withoutPersons(stack ?? '', stackLength)
        .split('\n')
        .slice(0, stackLines)
        .join('\n'),
      path: withoutNumbers(path ?? ''),
      user,
      time,
    }
    request.log.warn({ client: report }, 'the dashboard reported a failure')
    if (reportUrl !== undefined) handOn(reportUrl, report)
    return {}
  })
  serve(takeEnvelope, async ({ body, request }) => {
    if (await isTooMuch(db, request)) return {}
    return (await errorReports.forward(body.envelope)) ? {} : refuse('not_found')
  })
  serve(takeEvents, async ({ body, caller }) => {
    events?.take(caller.userId, body.events)
    return {}
  })
}

function requireMetricsCredential(request: FastifyRequest, credential: string | undefined): void {
  if (credential === 'open') return
  if (credential === undefined)
    refuse('bad_client_credential', {
      message: 'Metrics are told with a credential alone. Please set METRICS_CREDENTIAL (name:secret) first.',
    })
  if (!sameSecret(readBasicCredential(request.headers.authorization), credential))
    refuse('bad_client_credential')
}

/** Anybody may report, so nobody may fill the log: beyond the limit a report is taken and forgotten. */
async function isTooMuch(db: Database, request: FastifyRequest): Promise<boolean> {
  const limit = {
    name: 'error-reports',
    subject: networkOf(request.ip),
    max: reportsPerWindow,
    windowSeconds,
  }
  return (await countTry(db, limit)) !== undefined
}

/** An order's number or a token in a path would reveal whose page it was. */
function withoutNumbers(path: string): string {
  const [clean = ''] = path.split(/[?#]/)
  return clean.replaceAll(/\/[^/]*\d[^/]*/g, '/…').slice(0, 200)
}

/** Nobody waits for this call or hears of its failure, because the report is also in the log. */
function handOn(url: string, report: object): void {
  void fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(report),
    redirect: 'manual',
    signal: AbortSignal.timeout(handOnMs),
  }).then(
    (reply) => reply.body?.cancel(),
    () => undefined,
  )
}
