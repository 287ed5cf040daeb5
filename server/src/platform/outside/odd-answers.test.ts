import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTurnableDesk, type Shop, type TurnableDesk } from '../../../test/desk.ts'
import { orderIn } from '../../../test/order-steps.ts'
import {
  startLoopback,
  type Loopback,
  type LoopbackAnswer,
  type LoopbackRequest,
} from '../../../test/processes/loopback.ts'
import { createUber, uberSettings } from '../../../test/providers/uber.ts'

const uber = createUber()
const cards = { status: 'restricted', status_details: [] }
const account = {
  id: 'acct_of_the_shop',
  dashboard: 'full',
  configuration: { merchant: { capabilities: { card_payments: cards } } },
  requirements: { entries: [] },
}
/** What Stripe or Twilio answer to requests like these, in place of something readable. */
let odd: { which: RegExp; json: unknown } | undefined
let provider: Loopback
let desk: TurnableDesk
let shop: Shop
beforeAll(async () => {
  provider = await startLoopback(answer)
  desk = await openTurnableDesk({
    STRIPE_SECRET_KEY: 'sk_test_x',
    STRIPE_API_BASE: provider.url,
    ...uberSettings(provider.url),
    TWILIO_URL: provider.url,
    TWILIO_ACCOUNT_SID: 'AC1',
    TWILIO_AUTH_TOKEN: 'token-1',
    TWILIO_FROM: '+12125550100',
    PUBLIC_URL: 'http://127.0.0.1:4400',
  })
})
beforeEach(async () => {
  shop = await desk.openShop()
  odd = undefined
})
afterAll(async () => {
  await desk.stop()
  await provider.stop()
})

function answer(request: LoopbackRequest): LoopbackAnswer {
  const { method, path } = request
  if (odd?.which.test(`${method} ${path}`)) return { json: odd.json }
  if (path === '/v2/core/account_links') return { json: { url: 'https://connect.stripe.test/setup/1' } }
  if (path.startsWith('/v2/core/accounts')) return { json: account }
  if (path.includes('/Messages')) return method === 'POST' ? 'drop' : { json: { messages: [] } }
  return uber.answer(request)
}

const made = /^POST .*accounts$/
const read = /^GET .*accounts\//
const linked = /account_links$/
test.each<[RegExp, unknown]>([
  ...[null, [], 'text', 7, true, {}].flatMap((json): [RegExp, unknown][] =>
    [made, read, linked].map((which) => [which, json]),
  ),
  [made, { id: null }],
  [made, { id: 'acct\0' }],
  [read, { ...account, id: 'acct_of_another' }],
  ...[true, 7, { code: 7 }, { code: { a: 1 }, message: 7, type: 7 }, 'text', []].map(
    (error): [RegExp, unknown] => [read, { error }],
  ),
  [linked, { url: 'javascript:alert(1)' }],
])(
  'an answer of Stripe to %s that is %j is said to be Stripe’s problem, and ends nothing',
  async (which, json) => {
    await desk.owner.query(
      'update merchants set merchant_account_id = null, payment_set_up = true where merchant_id = $1',
      [shop.key],
    )
    odd = { which, json }
    const asked = await desk.passing(
      desk.call('GET /v1/merchant/{tmk}/stripe', { as: shop.owner, params: { tmk: shop.key } }),
    )
    expect([asked.status, asked.refusal.code]).toEqual([502, 'provider_error'])
    const { rows } = await desk.owner.query('select payment_set_up from merchants where merchant_id = $1', [
      shop.key,
    ])
    // Only a link can fail after Stripe has said what the account may do.
    expect(rows).toEqual([{ payment_set_up: which !== linked }])
  },
)

test.each([[null], [[null]], [{}], [[{ awaiting_action_from: 'user' }]], [7]])(
  'an account whose list of what is missing is %j can be read',
  async (entries) => {
    odd = { which: read, json: { ...account, requirements: { entries } } }
    await desk.owner.query('update merchants set merchant_account_id = $2 where merchant_id = $1', [
      shop.key,
      account.id,
    ])
    const asked = await desk.call('GET /v1/merchant/{tmk}/stripe', {
      as: shop.owner,
      params: { tmk: shop.key },
    })
    expect(asked.body.onboarding_data?.url).toBe('https://connect.stripe.test/setup/1')
  },
)

test.each([[null], [[]], ['text'], [{}]])('a token of Uber Direct that is %j is no token', async (json) => {
  const order = await orderIn(desk, shop, {
    status: 'MERCHANT_ACCEPTED',
    method: 'on_demand',
    courier_estimate_id: 'est-1',
  })
  // Each run has its own server, since a token is kept.
  const alone = await desk.another()
  odd = { which: /token$/, json }
  const asked = await desk.passing(
    alone.call('POST /m/v2/merchant/{tmk}/orders/{id}/courier', {
      as: shop.member,
      params: { tmk: shop.key, id: order.id },
      body: { courier_info: { dispatch_type: 'immediate', number_of_package: 1 } },
    }),
  )
  await alone.stop()
  expect([asked.status, asked.refusal.code]).toEqual([502, 'courier_failed'])
})

let phones = 3000
const sendText = async (number: string) =>
  desk.passing(desk.call('POST /m/v2/sms', { as: shop.member, body: { number, message: 'Where are you?' } }))
const texts = async () =>
  (
    await desk.owner.query<{ state: string; error: string }>(
      'select state, error from text_messages where merchant_id = $1',
      [shop.key],
    )
  ).rows

const undated = { sid: 'SM1', body: 'Where are you?', status: 'sent', date_created: 'soon' }
test.each([[null], [[]], [{ messages: null }], [{}], [{ messages: 'none' }], [{ messages: [undated] }]])(
  'while Twilio answers %j to the search for a text, it stays in doubt and is not sent again',
  async (json) => {
    const number = `+1212555${phones++}`
    expect((await sendText(number)).refusal.code).toBe('sms_failed')
    const sent = provider.about(encodeURIComponent(number)).filter(({ method }) => method === 'POST').length
    odd = { which: /^GET .*Messages/, json }
    expect((await sendText(number)).refusal.code).toBe('sms_failed')
    expect(provider.about(encodeURIComponent(number)).filter(({ method }) => method === 'POST')).toHaveLength(
      sent,
    )
    expect((await texts()).map(({ state }) => state)).toEqual(['unknown'])
  },
)

test.each([[null], [['text']], [{ sid: 7 }], [{ sid: 'SM\0' }]])(
  'an answer of Twilio to a text that is %j leaves it in doubt',
  async (json) => {
    odd = { which: /^POST .*Messages/, json }
    expect((await sendText(`+1212555${phones++}`)).refusal.code).toBe('sms_failed')
    expect((await texts()).map(({ state }) => state)).toEqual(['unknown'])
  },
)

test('what Twilio calls a code is kept only if it is one', async () => {
  const number = `+1212555${phones++}`
  await sendText(number)
  const message = {
    sid: 'SM1',
    body: 'Where are you?',
    date_created: new Date(desk.clock.nowMs()).toUTCString(),
    status: 'failed',
    error_code: `no ${number}`,
  }
  odd = { which: /^GET .*Messages/, json: { messages: [null, 7, message] } }
  expect((await sendText(number)).refusal.code).toBe('sms_failed')
  expect(await texts()).toEqual([{ state: 'failed', error: "Twilio's error unknown" }])
})
