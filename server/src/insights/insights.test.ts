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
