import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openDesk, openTurnableDesk, type TurnableDesk } from '../../../test/desk.ts'
import { startLoopback, type Loopback, type LoopbackAnswer } from '../../../test/processes/loopback.ts'
import { signGoogleUrl } from './google-maps.ts'

const png = Buffer.from('89504e470d0a1a0a', 'hex')
const signingSecret = 'vNIXE0xscrmjlyV-12Nj_BvUPaw='
/** Longer than a slow machine needs for an answer, and than all tries of one picture may take. */
const timeoutMs = 10_000
const onHang = () => desk.clock.turn(timeoutMs)
let provider: Loopback
let desk: TurnableDesk
beforeAll(async () => {
  provider = await startLoopback(
    () => ({
      bytes: png,
      headers: { 'content-type': 'image/png', 'cache-control': 'public, max-age=86400' },
    }),
    { onHang },
  )
  desk = await openTurnableDesk({
    GOOGLE_MAPS_URL: provider.url,
    GOOGLE_MAPS_KEY: 'maps-key',
    GOOGLE_MAPS_SIGNING_SECRET: signingSecret,
    PROVIDER_TIMEOUT_MS: String(timeoutMs),
  })
})
beforeEach(() => {
  provider.requests.length = 0
})
afterAll(async () => {
  await desk.stop()
  await provider.stop()
})

const map = (center: string) =>
  desk.call('GET /maps/static', { query: { center, zoom: '16', size: '640x480' } })

test('API-046 VIEW-011 GAP-27 the map comes from Google, signed by this server, which never gives the key away', async () => {
  const { status, headers, text } = await map('118 Pearl St, New York, NY 10005')
  expect([status, headers.get('content-type')]).toEqual([200, 'image/png'])
  expect(headers.get('cache-control')).toBe('private, max-age=86400')
  expect(text).not.toContain('maps-key')
  const [request] = provider.requests
  expect(Object.fromEntries(request?.query ?? [])).toMatchObject({
    center: '118 Pearl St, New York, NY 10005',
    markers: '118 Pearl St, New York, NY 10005',
    zoom: '16',
    size: '640x480',
    scale: '2',
    key: 'maps-key',
  })
  const signature = request?.query.get('signature') ?? ''
  expect(signature).toMatch(/^[\w-]+=$/)
})

test('the signature covers path and query: HMAC-SHA1 with the decoded secret, in URL-safe base64', () => {
  const url = new URL('https://maps.googleapis.com/maps/api/staticmap?center=New+York&key=k')
  const due = createHmac('sha1', Buffer.from(signingSecret, 'base64url'))
    .update('/maps/api/staticmap?center=New+York&key=k')
    .digest('base64url')
  expect(signGoogleUrl(url, signingSecret).replace(/=$/, '')).toBe(`${url.href}&signature=${due}`)
})

test('beyond the hourly limit the drawn card shows, without a call to Google', async () => {
  const limited = await openDesk({
    GOOGLE_MAPS_URL: provider.url,
    GOOGLE_MAPS_KEY: 'maps-key',
    MAPS_HOURLY_LIMIT: '2',
  })
  const types = []
  for (let n = 0; n < 3; n++) {
    const { headers } = await limited.call('GET /maps/static', { query: { center: `${n} Pier` } })
    types.push(headers.get('content-type'))
  }
  expect(types).toEqual(['image/png', 'image/png', 'image/svg+xml'])
  expect(provider.requests).toHaveLength(2)
  await limited.stop()
})

const storms: [string, LoopbackAnswer[]][] = [
  ['refuses the key', [{ status: 403, text: 'denied' }]],
  ['answers HTML', [{ status: 200, text: '<html>', headers: { 'content-type': 'text/html' } }]],
  ['is broken', [{ status: 502 }, { status: 502 }, { status: 502 }]],
  ['is silent', ['hang']],
  ['cuts the line', ['drop', 'drop', 'drop']],
  ['has a full queue', Array.from({ length: 3 }, () => ({ status: 429, headers: { 'retry-after': '0' } }))],
]
test.each(storms)(
  'API-046 when Google %s, the drawn card takes its place, and the browser asks again soon',
  async (name, answers) => {
    provider.next(...answers)
    const { status, headers, text } = await map(`9 Wharf Lane, ${name}`)
    expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
    expect(text).toContain('9 Wharf Lane')
    expect((await map('1 Pier')).headers.get('content-type')).toBe('image/png')
  },
)

test('GAP-27 an address template selects another map service', async () => {
  const other = await openDesk({ MAPS_STATIC_URL: `${provider.url}/{zoom}/{size}.png?q={address}` })
  const { headers } = await other.call('GET /maps/static', { query: { center: '1 A & B St', zoom: '16' } })
  expect(headers.get('content-type')).toBe('image/png')
  const [request] = provider.requests
  expect([request?.path, request?.query.get('q')]).toEqual(['/16/640x480.png', '1 A & B St'])
  await other.stop()
  await expect(openDesk({ MAPS_STATIC_URL: 'maps.example' })).rejects.toThrow(/MAPS_STATIC_URL/)
})
