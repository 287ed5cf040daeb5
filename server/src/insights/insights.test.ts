import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDesk, type Desk } from '../../test/desk.ts'

let desk: Desk
beforeAll(async () => {
  desk = await openDesk()
})
afterAll(async () => desk.stop())

test('GAP-01 the process reports that it runs, and that its database answers', async () => {
  expect((await desk.call('GET /healthz')).body).toEqual({ status: 'ok' })
  expect((await desk.call('GET /readyz')).body).toEqual({ status: 'ok' })
})

test('every answer carries the security headers, whatever its kind', async () => {
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

test('the addresses of one IPv6 network share one limit of error reports', async () => {
  const behindProxy = await desk.another({ TRUST_PROXY: '1' })
  const report = (address: string) =>
    behindProxy.call('POST /insights/v1/errors', {
      headers: { 'x-forwarded-for': address },
      body: { message: 'x' },
    })
  try {
    for (let host = 1; host <= 64; host++) await report(`2001:db8:1:2:${host.toString(16)}::1`)
    await report('2001:db8:1:3::1')
    expect((await behindProxy.call('GET /metrics')).text).toMatch(/^cellarhand_client_errors_total 61$/m)
  } finally {
    await behindProxy.stop()
  }
})
