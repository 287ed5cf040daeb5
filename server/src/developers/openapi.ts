import type { Endpoint } from '@cellarhand/contract/endpoint'
import { endpointGroups, endpoints, operationIds } from '@cellarhand/contract/endpoints'
import { apiVersion } from '@cellarhand/contract/developers'
import { OrderEvent, orderEventHeaders } from '@cellarhand/contract/marketplace'
import { leastRole, type Permission } from '@cellarhand/contract/permissions'
import { problemBodyOf } from '@cellarhand/contract/problem-bodies'
import { refusals, type RefusalCode } from '@cellarhand/contract/refusals'
import type { TObject } from 'typebox'
import { createSchemaBook, type SchemaBook } from './schema-book.ts'

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

function parameters(book: SchemaBook, place: 'path' | 'query', schema: TObject) {
  const required = new Set<string>(Array.isArray(schema.required) ? schema.required : [])
  return Object.entries(schema.properties).map(([name, property]) => {
    const { description } = property as { description?: string }
    return {
      name,
      in: place,
      required: place === 'path' || required.has(name),
      ...(description === undefined ? {} : { description }),
      schema: book.inline(property, 'request'),
    }
  })
}

const headerParameters = (headers: Readonly<Record<string, string>>, required: boolean) =>
  Object.entries(headers).map(([name, description]) => ({
    name,
    in: 'header',
    required,
    description,
    schema: { type: 'string' },
  }))

const commonRefusals: readonly RefusalCode[] = [
  'validation_failed',
  'internal',
  'too_busy',
  'database_unavailable',
]
const signedInRefusals: readonly RefusalCode[] = ['unauthorized', 'forbidden', 'too_much_at_once']
const movingRefusals: readonly RefusalCode[] = ['merchant_moving', 'merchant_moved']
const bodyRefusals: readonly RefusalCode[] = [
  'malformed_body',
  'changed_elsewhere',
  'request_timeout',
  'body_too_large',
  'unsupported_media_type',
]
const idempotentRefusals: readonly RefusalCode[] = ['request_in_progress', 'idempotency_key_reused']

function refusalCodes(endpoint: Endpoint): Set<RefusalCode> {
  const [scheme] = securityOf(endpoint)
  return new Set<RefusalCode>([
    ...endpoint.refusals,
    ...commonRefusals,
    ...(scheme === undefined
      ? []
      : 'session' in scheme
        ? signedInRefusals
        : (['bad_client_credential'] as const)),
    ...(scheme === undefined ? [] : movingRefusals),
    // The dashboard's own calls.
    ...(scheme === undefined || 'marketplace' in scheme ? [] : (['merchant_moved_away'] as const)),
    ...(Object.keys(endpoint.params.properties).length > 0 ? (['not_found'] as const) : []),
    ...(endpoint.body === undefined ? [] : bodyRefusals),
    ...('idempotency-key' in endpoint.headers ? idempotentRefusals : []),
  ])
}

const headerRef = (name: string) => ({ $ref: `#/components/headers/${name}` })
const everyAnswer = { 'x-request-id': headerRef('RequestId') }
/** Codes that may come with a time to wait. */
const passing: ReadonlySet<RefusalCode> = new Set([
  'too_many_requests',
  'too_much_at_once',
  'too_busy',
  'changed_elsewhere',
  'database_unavailable',
  'merchant_moving',
  'provider_error',
])

function refusalsOf(book: SchemaBook, endpoint: Endpoint): Record<string, unknown> {
  const byStatus = Map.groupBy(refusalCodes(endpoint), (code) => refusals[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      book.answer(`Refused${status}`, refusalOf(book, endpoint, group)),
    ]),
  )
}

function refusalOf(book: SchemaBook, endpoint: Endpoint, codes: readonly RefusalCode[]) {
  const bodies = new Set(codes.map((code) => problemBodyOf(endpoint, code)))
  const schemas = [...bodies].map((body) => book.inline(body, 'reply'))
  const schema = schemas.length === 1 ? schemas[0] : { anyOf: schemas }
  return {
    description: codes.map((code) => `\`${code}\`: ${refusals[code].message}`).join('\n\n'),
    headers: {
      ...everyAnswer,
      ...(codes.some((code) => passing.has(code)) ? { 'retry-after': headerRef('RetryAfter') } : {}),
      ...(codes.includes('bad_client_credential')
        ? { 'www-authenticate': headerRef('WwwAuthenticate') }
        : {}),
    },
    content: { 'application/json': { schema }, 'application/problem+json': { schema } },
  }
}

const capitalized = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`

function successOf(book: SchemaBook, endpoint: Endpoint) {
  const name = `${capitalized(operationIds[endpoint.call] ?? '')}Reply`
  return {
    description: 'Done',
    headers: everyAnswer,
    content: { [endpoint.media]: { schema: book.refer(endpoint.reply, 'reply', name) } },
  }
}

function bodyOf(book: SchemaBook, endpoint: Endpoint) {
  if (endpoint.body === undefined) return {}
  const name = `${capitalized(operationIds[endpoint.call] ?? '')}Body`
  const media = endpoint.isForm ? 'application/x-www-form-urlencoded' : 'application/json'
  const { properties } = endpoint.body as { properties?: object }
  // An absent body counts as an empty object, which is what the calls without fields take.
  const required = properties === undefined || Object.keys(properties).length > 0
  const schema = book.refer(endpoint.body, 'request', name)
  return { requestBody: { required, content: { [media]: { schema } } } }
}

/** The replies go into the book before the requests, see there. */
function operationOf(book: SchemaBook, endpoint: Endpoint, group: string) {
  return {
    operationId: operationIds[endpoint.call],
    tags: [group],
    summary: endpoint.summary,
    description: descriptionOf(endpoint),
    security: securityOf(endpoint),
    parameters: [
      ...parameters(book, 'path', endpoint.params),
      ...parameters(book, 'query', endpoint.query),
      ...headerParameters(endpoint.headers, false),
    ],
    ...bodyOf(book, endpoint),
    responses: { [endpoint.status]: successOf(book, endpoint), ...refusalsOf(book, endpoint) },
  }
}

function webhooksOf(book: SchemaBook) {
  return {
    orderEvent: {
      post: {
        operationId: 'receiveOrderEvent',
        tags: ['Marketplace'],
        summary: 'An order has come or changed',
        description:
          'Sent to the address of `PUT /marketplace/v1/webhook`, signed as Standard Webhooks says. The desk tries an event that no 2xx reply took again, ten times over about three days.',
        security: [],
        parameters: headerParameters(orderEventHeaders, true),
        requestBody: {
          required: true,
          content: { 'application/json': { schema: book.inline(OrderEvent, 'reply') } },
        },
        responses: {
          '2XX': { description: 'Taken.' },
          '410': {
            description: 'The receiver is gone. Nothing is sent until a webhook is registered again.',
          },
          default: { description: 'Not taken. `Retry-After` tells when to try again at the earliest.' },
        },
      },
    },
  }
}

const text = { type: 'string' }
const headers = {
  RequestId: {
    description:
      'The id of the request, as in the log of the server. Please name it in a question to the support.',
    required: true,
    schema: text,
  },
  RetryAfter: {
    description: 'Seconds to wait before the next try.',
    schema: { type: 'integer', minimum: 0 },
  },
  WwwAuthenticate: { description: 'Basic, with a realm.', schema: text },
}
const securitySchemes = {
  session: {
    type: 'http',
    scheme: 'bearer',
    description: 'The token that POST /a/v2/sessions answers.',
  },
  application: { type: 'http', scheme: 'basic', description: 'The credential of the dashboard app.' },
  marketplace: { type: 'http', scheme: 'basic', description: 'The credential of the marketplace.' },
}

interface Description {
  readonly title: string
  /** Markdown; its headings are the chapters before the calls. */
  readonly description: string
}

/** The contract as an OpenAPI 3.1 document, without the address of a server. */
export function describeApi({ title, description }: Description) {
  const book = createSchemaBook()
  const webhooks = webhooksOf(book)
  for (const endpoint of endpoints) {
    successOf(book, endpoint)
    refusalsOf(book, endpoint)
  }
  const paths: Record<string, Record<string, unknown>> = {}
  for (const { name, endpoints: group } of endpointGroups)
    for (const endpoint of group) {
      const [method = '', path = ''] = endpoint.call.split(' ')
      paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(book, endpoint, name) }
    }
  return {
    openapi: '3.1.0',
    info: { title, version: apiVersion, description },
    tags: endpointGroups.map(({ name }) => ({ name })),
    paths,
    webhooks,
    components: { securitySchemes, headers, responses: book.answers(), schemas: book.schemas() },
  }
}
