import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDesk, type Desk, type Shop } from '../test/desk.ts'
import { uberSettings } from '../test/providers/uber.ts'
import {
  startLoopback,
  type Loopback,
  type LoopbackAnswer,
  type LoopbackRequest,
} from '../test/processes/loopback.ts'
import { startMailServer, type MailServer } from '../test/providers/mail-server.ts'
import { checkProviders } from './check-providers.ts'

let providers: Loopback
let mailServer: MailServer
let desk: Desk
let shop: Shop
/** Takes all providers away. */
let isDown = false
const objects = new Map<string, { bytes: Buffer; digest: string }>()
beforeAll(async () => {
  providers = await startLoopback((request) =>
    isDown ? { status: 503, json: { error: { message: 'down' } } } : answer(request),
  )
  mailServer = await startMailServer()
  const { url } = providers
  desk = await openDesk({
    EASYPOST_API_KEY: 'key',
    EASYPOST_WEBHOOK_SECRET: 'secret',
    EASYPOST_BASE_URL: `${url}/easypost`,
    DOORDASH_URL: `${url}/doordash`,
    DOORDASH_DEVELOPER_ID: 'dev-1',
    DOORDASH_KEY_ID: 'key-1',
    DOORDASH_SIGNING_SECRET: 'c2VjcmV0',
    DOORDASH_WEBHOOK_CREDENTIAL: 'doordash:secret',
    ...uberSettings(`${url}/uber`, `${url}/uber-token`),
    COURIER: 'uber',
    TWILIO_URL: `${url}/twilio`,
    TWILIO_ACCOUNT_SID: 'AC1',
    TWILIO_AUTH_TOKEN: 'token',
    TWILIO_FROM: '+12125550199',
    GOOGLE_MAPS_KEY: 'key',
    GOOGLE_MAPS_URL: `${url}/google`,
    STRIPE_SECRET_KEY: 'sk_test_x',
    STRIPE_API_BASE: url,
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'desk@shop.example',
    PUBLIC_URL: 'http://127.0.0.1:4400',
    PRISMIC_REPOSITORY: `${url}/api/v2`,
    S3_ENDPOINT: `${url}/bucket`,
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'secret',
    SEGMENT_WRITE_KEY: 'write-key',
    SEGMENT_URL: `${url}/segment`,
    SENTRY_DSN: `${url.replace('//', '//public@')}/1`,
  })
  shop = await desk.openShop()
})
afterAll(async () => {
  await desk.stop()
  await mailServer.stop()
  await providers.stop()
})

function answer({ method, path, bytes, headers }: LoopbackRequest): LoopbackAnswer {
  const [, provider = ''] = path.split('/')
  if (provider === 'bucket') {
    const known = objects.get(path)
    if (method === 'PUT') objects.set(path, { bytes, digest: String(headers['x-amz-meta-sha256']) })
    if (method === 'DELETE') objects.delete(path)
    if (method !== 'GET') return { status: 200, headers: { etag: '"x"' } }
    return known === undefined
      ? { status: 404 }
      : { bytes: known.bytes, headers: { 'x-amz-meta-sha256': known.digest } }
  }
  if (provider === 'doordash') return { status: 404, json: { code: 'unknown_delivery_id' } }
  if (provider === 'uber-token') return { json: { access_token: 'token', expires_in: 3600 } }
  if (provider === 'uber') return { json: { data: [] } }
  if (provider === 'twilio') return { json: { messages: [] } }
  if (provider === 'google') return { headers: { 'content-type': 'image/png' }, bytes: Buffer.from('png') }
  if (provider === 'api') return { json: { refs: [{ id: 'master', ref: 'r', isMasterRef: true }] } }
  if (path === '/v2/core/accounts')
    return { json: { data: [], next_page_url: null, previous_page_url: null } }
  return { json: {} }
}

const panel = async (as = shop.owner) =>
  desk.call('GET /c/v2/merchants/{tmk}/outside_services', { as, params: { tmk: shop.key } })

test('each configured provider gets a harmless call, and says that it answers', async () => {
  const { lines, isWell } = await checkProviders(desk.app.db, desk.config)
  expect(lines.slice(0, 11)).toEqual([
    'Shipping labels: EasyPost answers.',
    'Couriers: Uber Direct answers.',
    'Couriers: DoorDash answers.',
    'Text messages: Twilio answers.',
    'Maps: Google Maps answers.',
    'Payments: Stripe answers.',
    'Mail: The mail server answers.',
    'News: Prismic answers.',
    'Files: The object store answers.',
    'Events: Segment cannot be asked without sending something.',
    'Error reports: Sentry cannot be asked without sending something.',
  ])
  expect(lines.slice(11)).toHaveLength(9)
  expect(isWell).toBe(true)
  const changes = providers.requests.filter(({ method }) => method !== 'GET').map(({ path }) => path)
  expect(changes.filter((path) => !path.startsWith('/bucket/check-') && path !== '/uber-token')).toEqual([])
  expect([objects.size, mailServer.tries()]).toEqual([0, 0])
})

test('GAP-163 owners, and nobody else, read the same about each', async () => {
  const { body } = await panel()
  expect(body.services).toContainEqual({
    use: 'payments',
    provider: 'Stripe',
    is_sandbox: false,
    last_success_at: expect.any(String),
    last_failure_at: null,
    last_failure_reason: null,
    failures_in_a_row: 0,
  })
  expect((await panel(shop.manager)).status).toBe(403)
})

test('failing providers are named with the reason, and the command fails', async () => {
  isDown = true
  await mailServer.stop()
  const { lines, isWell } = await checkProviders(desk.app.db, desk.config)
  isDown = false
  expect(isWell).toBe(false)
  for (const line of lines.slice(0, 9))
    expect(line).toMatch(/ does not answer as it should: (an error|no connection)/)
  const { body } = await panel()
  const failing = body.services.filter(({ failures_in_a_row }) => failures_in_a_row > 0)
  expect(failing.map(({ provider, last_failure_reason }) => `${provider}: ${last_failure_reason}`)).toEqual([
    'EasyPost: an error of its own (503)',
    'Uber Direct: an error of its own (503)',
    'DoorDash: an error of its own (503)',
    'Twilio: an error of its own (503)',
    'Google Maps: an error of its own (503)',
    'Stripe: an error of its own (503)',
    'The mail server: no connection',
    'Prismic: an error of its own (503)',
    'The object store: an error of its own (503)',
  ])
})

test('without providers, the demo names their sandboxes', async () => {
  const bare = await openDesk()
  const { lines, isWell } = await checkProviders(bare.app.db, bare.config)
  expect([isWell, lines]).toEqual([
    true,
    [
      'Shipping labels: a sandbox stands in.',
      'Couriers: a sandbox stands in.',
      'Text messages: a sandbox stands in.',
      'Maps: no provider is set up.',
      'Payments: a sandbox stands in.',
      'Mail: a sandbox stands in.',
      'News: no provider is set up.',
      'Files: no provider is set up.',
      'Events: no provider is set up.',
      'Error reports: no provider is set up.',
    ],
  ])
  await bare.stop()
})
