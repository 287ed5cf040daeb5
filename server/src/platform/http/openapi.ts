import type { Endpoint } from '@cellarhand/contract/endpoint'
import { endpointGroups } from '@cellarhand/contract/endpoints'
import { leastRole, type Permission } from '@cellarhand/contract/permissions'
import { refusals, type RefusalCode } from '@cellarhand/contract/refusals'
import type { TObject } from 'typebox'

const problem = {
  type: 'object',
  required: ['message', 'code'],
  properties: {
    message: { type: 'string' },
    code: { type: 'string' },
    errors: { description: 'Field to message; an array of {message} where a call says so.' },
  },
}

function securityOf({ access }: Endpoint): Record<string, string[]>[] {
  if (access === 'public' || access === 'provider' || access === 'signed-link') return []
  if (access === 'application') return [{ application: [] }]
  return access === 'marketplace' ? [{ marketplace: [] }] : [{ session: [] }]
}

function descriptionOf({ access }: Endpoint): string {
  const permission = access.replace('self or ', '') as Permission
  const role = leastRole[permission] as string | undefined
  return role === undefined ? `Access: ${access}.` : `Access: ${access} (${role} or higher).`
}

function parameters(place: 'path' | 'query', schema: TObject) {
  const required = new Set<string>(Array.isArray(schema.required) ? schema.required : [])
  return Object.entries(schema.properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.has(name),
    schema: property,
  }))
}

const commonRefusals: readonly RefusalCode[] = [
  'validation_failed',
  'internal',
  'too_busy',
  'database_unavailable',
]
const signedInRefusals: readonly RefusalCode[] = ['unauthorized', 'forbidden', 'too_much_at_once']
const bodyRefusals: readonly RefusalCode[] = [
  'malformed_body',
  'changed_elsewhere',
  'request_timeout',
  'body_too_large',
  'unsupported_media_type',
]
const idempotentRefusals: readonly RefusalCode[] = ['request_in_progress', 'idempotency_key_reused']

function refusalsOf(endpoint: Endpoint): Record<string, unknown> {
  const [scheme] = securityOf(endpoint)
  const codes = new Set<RefusalCode>([
    ...endpoint.refusals,
    ...commonRefusals,
    ...(scheme === undefined
      ? []
      : 'session' in scheme
        ? signedInRefusals
        : (['bad_client_credential'] as const)),
    ...(Object.keys(endpoint.params.properties).length > 0 ? (['not_found'] as const) : []),
    ...(endpoint.body === undefined ? [] : bodyRefusals),
    ...('idempotency-key' in endpoint.headers ? idempotentRefusals : []),
  ])
  const byStatus = Map.groupBy(codes, (code) => refusals[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      {
        description: group.map((code) => `\`${code}\`: ${refusals[code].message}`).join('\n\n'),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  )
}

function operationOf(endpoint: Endpoint, group: string) {
  const headers = Object.entries(endpoint.headers).map(([name, description]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  }))
  return {
    tags: [group],
    summary: endpoint.summary,
    description: descriptionOf(endpoint),
    security: securityOf(endpoint),
    parameters: [...parameters('path', endpoint.params), ...parameters('query', endpoint.query), ...headers],
    ...(endpoint.body === undefined
      ? {}
      : { requestBody: { content: { 'application/json': { schema: endpoint.body } } } }),
    responses: {
      [endpoint.status]: { description: 'Done', content: { [endpoint.media]: { schema: endpoint.reply } } },
      ...refusalsOf(endpoint),
    },
  }
}

interface Description {
  readonly serverUrl: string
  readonly title: string
  /** Markdown; its headings are the chapters before the calls. */
  readonly description: string
}

/** The contract as an OpenAPI 3.1 document. */
export function describeApi({ serverUrl, title, description }: Description) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const { name, endpoints } of endpointGroups)
    for (const endpoint of endpoints) {
      const [method = '', path = ''] = endpoint.call.split(' ')
      paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(endpoint, name) }
    }
  return {
    openapi: '3.1.0',
    info: { title, version: '2', description },
    tags: endpointGroups.map(({ name }) => ({ name })),
    servers: [{ url: serverUrl }],
    paths,
    components: {
      securitySchemes: {
        session: {
          type: 'http',
          scheme: 'bearer',
          description: 'The token that POST /a/v2/sessions answers.',
        },
        application: { type: 'http', scheme: 'basic', description: 'The credential of the dashboard app.' },
        marketplace: { type: 'http', scheme: 'basic', description: 'The credential of the marketplace.' },
      },
      schemas: { Problem: problem },
    },
  }
}
