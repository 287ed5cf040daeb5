import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDesk, type Desk } from '../../../test/desk.ts'

let desk: Desk
beforeAll(async () => {
  desk = await openDesk()
})
afterAll(() => desk.stop())

const map = (query: Record<string, string>) => desk.call('GET /maps/static', { query })
const address = '118 Pearl St, Apt 4, New York, NY 10005'

test('API-046 GAP-27 anybody gets the map of an address, drawn without a key and from our own origin', async () => {
  const { status, headers, text } = await map({ center: address, zoom: '16', size: '640x480' })
  expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
  expect(headers.get('content-security-policy')).toContain("img-src 'self'")
  expect(text).toMatch(/^<svg [^>]*width="640" height="480"/)
  expect(text).toContain('>118 Pearl St</text>')
  expect(text).toContain('>Apt 4, New York, NY 10005</text>')
  expect((await map({ center: address })).text).toBe(text)
  expect((await map({ center: '9 Wharf Lane, New York' })).text).not.toBe(text)
})

test('API-046 a bad size, or a missing address, is refused', async () => {
  for (const size of ['0x480', '640', '640x', '9999x480', '-1x5', '640x480x2'])
    expect([size, (await map({ center: address, size })).status]).toEqual([size, 400])
  expect((await map({ center: '  ' })).refusal.errors).toHaveProperty('center')
  expect((await map({})).status).toBe(400)
})

test('API-046 a hostile address is text in the picture, and the picture stays XML', async () => {
  const center = `<script>alert(1)</script>"&\u0001\uFFFE, ]]> ${'x'.repeat(200)}`
  const { status, text } = await map({ center })
  expect(status).toBe(200)
  for (const gone of ['<script', '\u0001', '\uFFFE']) expect(text).not.toContain(gone)
  expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&amp;')
  expect(text.match(/<text/g)).toHaveLength(3)
})
