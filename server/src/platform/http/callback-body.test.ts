import { createHmac } from 'node:crypto'
import Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDesk, type Desk } from '../../../test/desk.ts'
import { uberSettings } from '../../../test/providers/uber.ts'

const publicUrl = 'http://127.0.0.1:4400'
const nobody = 'http://127.0.0.1:1'
let desk: Desk
beforeAll(async () => {
  desk = await openDesk({
    PUBLIC_URL: publicUrl,
    DOORDASH_URL: nobody,
    DOORDASH_DEVELOPER_ID: 'dev-1',
    DOORDASH_KEY_ID: 'key-1',
    DOORDASH_SIGNING_SECRET: Buffer.from('a signing secret').toString('base64url'),
    DOORDASH_WEBHOOK_CREDENTIAL: 'doordash:a-long-secret',
    ...uberSettings(nobody, nobody),
    COURIER: 'uber',
    TWILIO_URL: nobody,
    TWILIO_ACCOUNT_SID: 'AC1',
    TWILIO_AUTH_TOKEN: 'token-1',
    TWILIO_FROM: '+12125550100',
    EASYPOST_API_KEY: 'key',
    EASYPOST_BASE_URL: nobody,
    EASYPOST_WEBHOOK_SECRET: 'easypost-secret',
    STRIPE_SECRET_KEY: 'sk_test_x',
    STRIPE_WEBHOOK_SECRET: 'whsec_test_of_no_worth',
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'The Desk <desk@shop.example>',
    MAIL_WEBHOOK_CREDENTIAL: 'mail:a-long-secret',
  })
})
afterAll(() => desk.stop())

const basic = (credential: string) => ({
  authorization: `Basic ${Buffer.from(credential).toString('base64')}`,
})
const hmac = (secret: string, body: string) => createHmac('sha256', secret).update(body).digest('hex')

/** Each provider's address, and what proves that a body is the provider's. */
const providers = {
  doordash: ['/providers/v1/couriers/doordash/events', () => basic('doordash:a-long-secret')],
  uber: [
    '/providers/v1/couriers/uber/events',
    (body: string) => ({ 'x-uber-signature': hmac('webhook-key', body) }),
  ],
  easypost: [
    '/providers/v1/shipping/events',
    (body: string) => ({ 'x-hmac-signature': `hmac-sha256-hex=${hmac('easypost-secret', body)}` }),
  ],
  stripe: [
    '/providers/v1/payments/events',
    (payload: string) => ({
      'stripe-signature': Stripe.webhooks.generateTestHeaderString({
        payload,
        secret: 'whsec_test_of_no_worth',
      }),
    }),
  ],
  mail: ['/providers/v1/mail/events', () => basic('mail:a-long-secret')],
} as const

const nul = 'a\0b'
const postmark = { RecordType: 'Bounce', Type: 'HardBounce', Email: 'a@example.com', BouncedAt: 'now' }
const sendGrid = { event: 'bounce', email: 'a@example.com', reason: 'gone', timestamp: 1 }
const tracker = { tracking_code: '1Z', status: 'delivered', tracking_details: [] }
const trackerEvent = { id: 'evt_1', description: 'tracker.updated', result: tracker }
const thin = { id: 'evt_1', object: 'v2.core.event', type: 'v2.core.account.closed' }

const odd: readonly (readonly [keyof typeof providers, number, unknown])[] = [
  ['doordash', 400, null],
  ['doordash', 400, [1]],
  ['doordash', 400, { external_delivery_id: nul }],
  ['doordash', 400, { external_delivery_id: '\ud800' }],
  ['doordash', 400, { external_delivery_id: { a: 1 } }],
  ['doordash', 200, {}],
  ['uber', 400, null],
  ['uber', 400, 'text'],
  ['uber', 400, { external_id: nul }],
  ['uber', 400, { data: { external_id: nul } }],
  ['uber', 400, { data: 7 }],
  ['uber', 200, { data: null }],
  ['easypost', 400, null],
  ['easypost', 400, { ...trackerEvent, id: nul }],
  ['easypost', 400, { ...trackerEvent, result: 'none' }],
  ['easypost', 400, { ...trackerEvent, result: { ...tracker, tracking_code: nul } }],
  ['easypost', 200, { ...trackerEvent, result: { ...tracker, updated_at: '-271821-04-20T00:00:00Z' } }],
  ['easypost', 200, { ...trackerEvent, id: 'evt_2', result: { ...tracker, tracking_details: [null] } }],
  ['easypost', 200, { id: 'evt_3', description: 'batch.updated', result: { status: { created: 1 } } }],
  ['stripe', 400, null],
  ['stripe', 400, { ...thin, id: nul }],
  ['stripe', 400, { ...thin, id: undefined }],
  ['stripe', 400, { ...thin, related_object: { id: nul, type: 'v2.core.account' } }],
  ['stripe', 200, { ...thin, related_object: null }],
  ['mail', 200, null],
  ['mail', 200, [null, 1, 'text']],
  ['mail', 200, { ...postmark, Email: nul, Details: nul }],
  ['mail', 200, [{ ...sendGrid, timestamp: 1e300 }]],
  ['mail', 200, [{ ...sendGrid, reason: `${nul}\ud800` }]],
  ['mail', 200, { ...postmark, BouncedAt: '-271821-04-20T00:00:00Z' }],
]
test.each(odd)(
  '%s with a good credential and odd content is answered %i: %j',
  async (provider, status, content) => {
    const [address, prove] = providers[provider]
    const body = JSON.stringify(content)
    const answer = await desk.send('POST', address, { body, headers: prove(body) })
    expect(answer.status, JSON.stringify(answer.body)).toBe(status)
  },
)

test.each([
  ['status', { MessageSid: nul, MessageStatus: 'delivered' }, 400],
  ['status', { MessageSid: 'SM1', MessageStatus: 'failed', ErrorCode: nul }, 400],
  ['replies', { From: nul, Body: 'STOP' }, 400],
  ['replies', { From: '+12125550101', Body: nul }, 400],
  ['status', {}, 204],
  ['replies', {}, 204],
] as const)(
  'twilio %s with a good signature and odd content %j is answered %i',
  async (what, fields, status) => {
    const path = `/providers/v1/texts/twilio/${what}`
    const signed =
      publicUrl +
      path +
      Object.entries(fields)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .flat()
        .join('')
    const answer = await desk.send('POST', path, {
      body: new URLSearchParams(fields).toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-twilio-signature': createHmac('sha1', 'token-1').update(signed).digest('base64'),
      },
    })
    expect(answer.status, JSON.stringify(answer.body)).toBe(status)
  },
)
