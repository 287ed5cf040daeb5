import { endpoints, operationIds } from '@cellarhand/contract/endpoints'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { marketplaceCredential, openDesk, type Desk, type Shop } from '../../test/desk.ts'
import { eventually } from '../../test/eventually.ts'
import { anOrder } from '../../test/orders.ts'

interface Answer {
  headers: object
  content: Record<string, { schema: object }>
}
interface Operation {
  operationId: string
  parameters: { name: string; in: string; required: boolean }[]
  requestBody?: { required: boolean; content: Record<string, { schema: object }> }
  responses: Record<string, Answer | { $ref: string }>
}
interface Document {
  info: { version: string }
  paths: Record<string, Record<string, Operation>>
  webhooks: { orderEvent: { post: Operation } }
  components: { schemas: Record<string, object>; responses: Record<string, Answer> }
}

let desk: Desk
let shop: Shop
let document: Document
let ajv: Ajv
beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
  document = (await desk.call('GET /docs/openapi.json')).body as Document
  ajv = new Ajv({ strict: false, allErrors: true })
  ajv.addSchema(document, 'api')
})
afterAll(() => desk.stop())

const operationOf = (call: string) => {
  const [method = '', path = ''] = call.split(' ')
  const operation = document.paths[path]?.[method.toLowerCase()]
  if (operation === undefined) throw new Error(`${call} is not described`)
  return operation
}
const pointer = (...steps: string[]) =>
  `api#/${steps.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`

/** Why a value does not fit the place of the document; undefined if it does. */
function faultAt(value: unknown, ...steps: string[]): string | undefined {
  const check = ajv.compile({ $ref: pointer(...steps) })
  return check(value) ? undefined : ajv.errorsText(check.errors)
}

/** Refusals that several calls give are written once. */
function answerOf(call: string, status: string): Answer {
  const answer = operationOf(call).responses[status]
  if (answer === undefined) throw new Error(`${call} has no answer ${status}`)
  const name = '$ref' in answer ? answer.$ref.replace('#/components/responses/', '') : undefined
  const found = name === undefined ? (answer as Answer) : document.components.responses[name]
  if (found === undefined) throw new Error(`${call} refers to an answer that is not there`)
  return found
}

function faultOfAnswer(call: string, status: number, body: unknown): string | undefined {
  const [method = '', path = ''] = call.split(' ')
  const answer = operationOf(call).responses[String(status)]
  const at =
    answer !== undefined && '$ref' in answer
      ? answer.$ref.split('/').slice(1)
      : ['paths', path, method.toLowerCase(), 'responses', String(status)]
  return faultAt(body, ...at, 'content', 'application/json', 'schema')
}

test('GAP-28 each call has the id under which the contract exports it', () => {
  for (const { call } of endpoints) expect(operationOf(call).operationId).toBe(operationIds[call])
  const ids = endpoints.map(({ call }) => operationIds[call])
  expect(new Set(ids).size).toBe(endpoints.length)
  expect(operationIds['POST /marketplace/v1/orders']).toBe('createOrder')
})

test('GAP-28 the shapes of the contract have names, and every reference leads to one', () => {
  const text = JSON.stringify(document)
  const referred = new Set(
    [...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name),
  )
  expect([...referred].toSorted()).toEqual(Object.keys(document.components.schemas).toSorted())
  for (const name of [
    'Order',
    'LineItem',
    'NewOrder',
    'Merchant',
    'User',
    'Session',
    'Problem',
    'OrderEvent',
  ])
    expect([name, referred.has(name)]).toEqual([name, true])
  for (const call of ['GET /marketplace/v1/orders/{id}', 'PUT /m/v2/orders/{id}'])
    expect(answerOf(call, '200').content['application/json']?.schema).toEqual({
      $ref: '#/components/schemas/Order',
    })
  // Written out wherever they are used, the shapes would be several times as long.
  const calls = Object.values(document.paths).flatMap((path) => Object.keys(path)).length
  expect(text.length / calls).toBeLessThan(3_600)
})

test('GAP-28 a body that a call needs is required, and may be left out where it has no fields', () => {
  for (const { call, body } of endpoints)
    expect([call, operationOf(call).requestBody === undefined]).toEqual([call, body === undefined])
  expect(operationOf('POST /marketplace/v1/orders').requestBody?.required).toBe(true)
  expect(operationOf('PUT /m/v2/orders/{id}').requestBody?.required).toBe(true)
  expect(operationOf('POST /a/v2/logout').requestBody?.required).toBe(false)
})

test('GAP-28 every answer describes its headers', () => {
  for (const { call } of endpoints)
    for (const status of Object.keys(operationOf(call).responses)) {
      const headers = Object.keys(answerOf(call, status).headers)
      expect([call, status, headers]).toEqual([call, status, expect.arrayContaining(['x-request-id'])])
      if (status === '429') expect(headers).toContain('retry-after')
    }
  const { headers } = answerOf('POST /marketplace/v1/orders', '401')
  expect(Object.keys(headers)).toContain('www-authenticate')
})

test('GAP-28 what the server answers fits the description', async () => {
  const body = anOrder(shop.key)
  const sent = await desk.call('POST /marketplace/v1/orders', { as: marketplaceCredential, body })
  const again = await desk.call('POST /marketplace/v1/orders', { as: marketplaceCredential, body })
  const empty = await desk.call('POST /marketplace/v1/orders', { as: marketplaceCredential, body: {} })
  const answers = [sent, again, empty]
  expect(answers.map(({ status }) => status)).toEqual([201, 409, 400])
  for (const answer of answers)
    expect(faultOfAnswer('POST /marketplace/v1/orders', answer.status, answer.body)).toBeUndefined()
  expect(faultOfAnswer('POST /marketplace/v1/orders', 201, { ...sent.body, id: 7 })).toContain('id')
  const call = 'GET /marketplace/v1/orders'
  const listed = await desk.call(call, { as: marketplaceCredential })
  expect(faultOfAnswer(call, 200, listed.body)).toBeUndefined()
})

test('GAP-28 a reader of answers must expect new fields, and a request may have no others', () => {
  const request = [
    'paths',
    '/marketplace/v1/orders',
    'post',
    'requestBody',
    'content',
    'application/json',
    'schema',
  ]
  const body = anOrder(shop.key)
  expect(faultAt(body, ...request)).toBeUndefined()
  expect(faultAt({ ...body, colour: 'red' }, ...request)).toContain('additional properties')
  expect(JSON.stringify(document.components.schemas['Order'])).not.toContain('"additionalProperties":false')
})

test('GAP-28 GAP-29 the webhook is described, with its headers and the event that the desk sends', async () => {
  await desk.order(shop)
  const { post } = document.webhooks.orderEvent
  expect(post.parameters.map(({ name, in: place, required }) => [name, place, required])).toEqual(
    ['webhook-id', 'webhook-position', 'webhook-timestamp', 'webhook-signature'].map((name) => [
      name,
      'header',
      true,
    ]),
  )
  const event = await eventually(async () => {
    const { body } = await desk.call('GET /marketplace/v1/events', { as: marketplaceCredential })
    const [first] = body.events
    expect(first).toBeDefined()
    return first
  })
  const { type, timestamp, data } = event ?? {}
  const at = ['webhooks', 'orderEvent', 'post', 'requestBody', 'content', 'application/json', 'schema']
  expect(faultAt({ type, timestamp, data }, ...at)).toBeUndefined()
  expect(faultAt({ type, timestamp }, ...at)).toContain('data')
})
