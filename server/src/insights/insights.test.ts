import { endpoints } from '@cellarhand/contract/endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDesk, type Desk } from '../../test/desk.ts'

let desk: Desk
beforeAll(async () => {
  desk = await openDesk()
})
afterAll(async () => desk.stop())

test('GAP-01 the process says that it runs, and that its database answers', async () => {
  expect((await desk.call('GET /healthz')).body).toEqual({ status: 'ok' })
  expect((await desk.call('GET /readyz')).body).toEqual({ status: 'ok' })
})

test('GAP-28 the description of the interface has every call of the contract, and no other', async () => {
  const { body } = await desk.call('GET /docs/openapi.json')
  const { openapi, paths } = body as {
    openapi: string
    paths: Record<string, Record<string, { summary: string; security: unknown[] }>>
  }
  expect(openapi).toBe('3.1.0')
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(described.toSorted()).toEqual(endpoints.map(({ call }) => call).toSorted())
  for (const { call, access, summary } of endpoints) {
    const [method = '', path = ''] = call.split(' ')
    const operation = paths[path]?.[method.toLowerCase()]
    expect([call, operation?.summary]).toEqual([call, summary])
    expect([call, operation?.security.length]).toEqual([
      call,
      ['public', 'provider', 'signed-link'].includes(access) ? 0 : 1,
    ])
  }
})

test('every answer carries the security headers, whatever it is', async () => {
  for (const [method, path] of [
    ['GET', '/healthz'],
    ['GET', '/nowhere'],
    ['GET', '/m/v2/orders/1'],
    ['POST', '/a/v2/sessions'],
    ['DELETE', '/healthz'],
  ] as const) {
    const { headers } = await desk.send(method, path)
    for (const name of [
      'content-security-policy',
      'x-content-type-options',
      'referrer-policy',
      'cross-origin-opener-policy',
      'permissions-policy',
    ])
      expect([path, name, headers.has(name)]).toEqual([path, name, true])
    expect([path, headers.get('cache-control'), headers.has('x-powered-by'), headers.has('server')]).toEqual([
      path,
      'no-store',
      false,
      false,
    ])
  }
})
