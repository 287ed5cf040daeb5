import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { Empty, maybe, object, text } from './fields.ts'

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
export const isAlive = endpoint({
  call: 'GET /healthz',
  summary: 'The process runs',
  access: 'public',
  reply: object({ status: Type.Literal('ok') }),
})
export const isReady = endpoint({
  call: 'GET /readyz',
  summary: 'The process can serve: its database answers, and it is not about to stop',
  access: 'public',
  reply: object({ status: Type.Literal('ok') }),
  refusals: ['database_unavailable', 'leaving'],
})
export const readMetrics = endpoint({
  call: 'GET /metrics',
  summary: 'Metrics in the Prometheus text format',
  access: 'public',
  reply: Type.String(),
  media: '*/*',
})
