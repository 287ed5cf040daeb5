import { Type } from 'typebox'
import { endpoint } from '../wire/endpoint.ts'
import { Empty, maybe, object, text, Timestamp } from '../wire/fields.ts'

export const reportError = endpoint({
  call: 'POST /insights/v1/errors',
  summary: 'A failure in the dashboard (the default ERROR_REPORT_URL)',
  access: 'public',
  body: object({
    message: text(2000),
    stack: maybe(text(20_000)),
    path: maybe(text(500)),
    user: maybe(text(64)),
    time: maybe(text(40)),
  }),
  reply: Empty,
  status: 202,
})
export const takeEvents = endpoint({
  call: 'POST /insights/v1/events',
  summary: "Events of the dashboard's data layer, for the analytics service that is set (SEGMENT_WRITE_KEY)",
  access: 'session',
  body: object({
    events: Type.Array(
      object({
        event: text(100),
        message_id: text(64),
        time: Timestamp,
        properties: Type.Record(
          Type.String({ maxLength: 50 }),
          Type.Union([text(200), Type.Number(), Type.Boolean()]),
          { maxProperties: 20 },
        ),
      }),
      { minItems: 1, maxItems: 50 },
    ),
  }),
  reply: Empty,
  status: 202,
})
export const takeEnvelope = endpoint({
  call: 'POST /insights/v1/envelopes',
  summary: 'A failure in the dashboard as a Sentry envelope, handed on to Sentry (SENTRY_DSN)',
  access: 'public',
  body: object({ envelope: text(200_000) }),
  reply: Empty,
  status: 202,
})
export const isAlive = endpoint({
  call: 'GET /healthz',
  summary: 'The process runs',
  access: 'public',
  reply: object({ status: Type.Literal('ok') }),
})
export const isReady = endpoint({
  call: 'GET /readyz',
  summary:
    'The process can serve: database and files can be written, and it is not about to stop. A refusal names the part under `errors`',
  access: 'public',
  reply: object({ status: Type.Literal('ok') }),
  refusals: ['database_unavailable', 'files_unavailable', 'leaving'],
})
export const readMetrics = endpoint({
  call: 'GET /metrics',
  summary:
    'Metrics in the Prometheus text format, made at most every five seconds. Basic credential of METRICS_CREDENTIAL; open in the demo without one',
  access: 'provider',
  reply: Type.String(),
  media: '*/*',
  refusals: ['bad_client_credential'],
})
