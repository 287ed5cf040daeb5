import Stripe from 'stripe'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { marketplaceCredential, openDesk, type Desk, type Shop } from '../../test/desk.ts'
import { createHealthRecord } from '../platform/outside/health.ts'
import { createOutside } from '../platform/outside/outside.ts'
import { startLoopback, type Loopback } from '../../test/processes/loopback.ts'
import { anOrder } from '../../test/orders.ts'
import { createStripe, createStripePayments } from './stripe-payments.ts'

const secret = 'whsec_test_of_no_worth'
const stripe = new Stripe('sk_test_x')

/** Stripe as its documentation describes it: accounts, links, and capabilities that change from outside. */
interface StubAccount {
  readonly id: string
  cards: string
  payouts: string | undefined
  dashboard: string
  due: string | undefined
  closed?: boolean
}

let provider: Loopback
let accounts: Map<string, StubAccount>
/** Of each idempotency key the body that came with it first. */
let firstAsked: Map<string, string>
let desk: Desk
let shop: Shop
let hangsAfterEffect = false

function accountJson(account: StubAccount) {
  const { id, cards, payouts, dashboard, due, closed } = account
  return {
    id,
    object: 'v2.core.account',
    applied_configurations: ['merchant'],
    dashboard,
    created: '2026-11-21T12:00:00.000Z',
    livemode: false,
    closed,
    configuration: {
      merchant: {
        capabilities: {
          card_payments: { status: cards, status_details: [] },
          ...(payouts === undefined
            ? {}
            : { stripe_balance: { payouts: { status: payouts, status_details: [] } } }),
        },
      },
    },
    requirements: {
      entries:
        due === undefined
          ? []
          : [
              {
                description: 'identity',
                awaiting_action_from: 'user',
                errors: [],
                minimum_deadline: { status: due },
              },
            ],
    },
  }
}

beforeAll(async () => {
  provider = await startLoopback(({ method, path, headers, text: asked }) => {
    const answerHeaders = { 'request-id': 'req_1' }
    if (method === 'POST' && path === '/v2/core/accounts') {
      const key = String(headers['idempotency-key'])
      if ((firstAsked.get(key) ?? asked) !== asked)
        return {
          status: 400,
          json: { error: { type: 'idempotency_error', message: 'The key was used with other parameters.' } },
          headers: answerHeaders,
        }
      firstAsked.set(key, asked)
      const id = `acct_${key.replaceAll(/[^a-z0-9]/g, '')}`
      const account = accounts.get(id) ?? {
        id,
        cards: 'restricted',
        payouts: 'restricted',
        dashboard: 'full',
        due: 'currently_due',
      }
      accounts.set(id, account)
      if (hangsAfterEffect) {
        hangsAfterEffect = false
        return 'hang'
      }
      return { json: accountJson(account), headers: answerHeaders }
    }
    if (method === 'POST' && path === '/v2/core/account_links')
      return {
        json: { object: 'v2.core.account_link', url: 'https://connect.stripe.test/setup/1' },
        headers: answerHeaders,
      }
    const [, id = ''] = /^\/v[12](?:\/core)?\/accounts\/(\w+)/.exec(path) ?? []
    const account = accounts.get(id)
    if (account === undefined)
      return {
        status: 404,
        json: { error: { code: 'not_found', message: 'No such account' } },
        headers: answerHeaders,
      }
    if (path.endsWith('/login_links'))
      return {
        json: { object: 'login_link', url: 'https://connect.stripe.test/express/1' },
        headers: answerHeaders,
      }
    return { json: accountJson(account), headers: answerHeaders }
  })
  desk = await openDesk({
    STRIPE_SECRET_KEY: 'sk_test_x',
    STRIPE_WEBHOOK_SECRET: secret,
    STRIPE_API_BASE: provider.url,
  })
})
afterAll(async () => {
  await desk.stop()
  await provider.stop()
})
beforeEach(async () => {
  accounts = new Map()
  firstAsked = new Map()
  shop = await desk.openShop()
  await desk.owner.query(
    'update merchants set merchant_account_id = null, payment_set_up = false where merchant_id = $1',
    [shop.key],
  )
  provider.requests.length = 0
})
afterEach(() => desk.owner.query('delete from provider_health'))

async function lastFailure(): Promise<string> {
  const { rows } = await desk.owner.query<{ last_failure_reason: string | null }>(
    "select last_failure_reason from provider_health where provider = 'Stripe'",
  )
  return rows[0]?.last_failure_reason ?? ''
}

const params = () => ({ tmk: shop.key })
const ask = () => desk.call('GET /v1/merchant/{tmk}/stripe', { as: shop.owner, params: params() })
const isSetUp = async () =>
  (await desk.call('GET /c/v2/merchants/{tmk}', { as: shop.member, params: params() })).body.paymentSetUp
const only = (): StubAccount => {
  const [account] = accounts.values()
  if (account === undefined) throw new Error('There is no account')
  return account
}

interface Notice {
  id?: string
  secret?: string
  ageSeconds?: number
  account?: string
  tamper?: boolean
}

/** A thin event with Stripe's signature. */
function notify(notice: Notice = {}) {
  const { id = `evt_${Math.random()}`, ageSeconds = 0, account = only().id } = notice
  const payload = JSON.stringify({
    id,
    object: 'v2.core.event',
    type: 'v2.core.account[configuration.merchant].capability_status_updated',
    created: '2026-11-21T12:00:00.000Z',
    livemode: false,
    context: null,
    related_object: { id: account, type: 'v2.core.account', url: `/v2/core/accounts/${account}` },
  })
  const header = stripe.webhooks.generateTestHeaderString({
    payload,
    secret: notice.secret ?? secret,
    timestamp: Math.floor(Date.now() / 1000) - ageSeconds,
  })
  return desk.send('POST', '/providers/v1/payments/events', {
    body: notice.tamper === true ? payload.replace('2026', '2027') : payload,
    headers: { 'stripe-signature': header },
  })
}

test('BILL-005 an account is made once, with card payments, and its link leads to Stripe’s own pages', async () => {
  const first = await ask()
  expect(first.body).toEqual({
    onboarding_data: { url: 'https://connect.stripe.test/setup/1' },
    login_link: null,
  })
  const [create, read, link] = provider.requests
  expect(create?.headers['idempotency-key']).toBe(`merchant-${shop.key}-stripe-account`)
  expect(create?.headers['stripe-version']).toMatch(/^2026-/)
  expect(create?.json).toMatchObject({
    contact_email: 'shop@example.com',
    dashboard: 'full',
    identity: { country: 'US' },
    configuration: { merchant: { mcc: '5921', capabilities: { card_payments: { requested: true } } } },
    defaults: { currency: 'usd', responsibilities: { fees_collector: 'stripe', losses_collector: 'stripe' } },
    metadata: { merchant_id: shop.key },
  })
  expect([read?.query.get('include[0]'), read?.query.get('include[1]')]).toEqual([
    'configuration.merchant',
    'requirements',
  ])
  expect(link?.json).toMatchObject({
    account: only().id,
    use_case: {
      type: 'account_onboarding',
      account_onboarding: { return_url: `${desk.url}/settings/billing` },
    },
  })
  expect(JSON.stringify(link?.json)).not.toContain('configurations')
  await ask()
  expect(provider.requests.filter(({ path }) => path === '/v2/core/accounts')).toHaveLength(1)
})

test('BILL-004 BILL-006 GAP-152 Stripe’s statuses become our four, and open or close the way for orders', async () => {
  await ask()
  const order = async () =>
    (await desk.call('POST /marketplace/v1/orders', { as: marketplaceCredential, body: anOrder(shop.key) }))
      .status
  const onboarding = { onboarding_data: { url: 'https://connect.stripe.test/setup/1' }, login_link: null }
  const dashboard = { onboarding_data: null, login_link: 'https://dashboard.stripe.com/' }
  const neither = { onboarding_data: null, login_link: null }
  for (const [state, expected, takesOrders] of [
    [{ cards: 'active', payouts: 'active', due: undefined }, dashboard, true],
    [{ cards: 'active', payouts: 'active', due: 'eventually_due' }, dashboard, true],
    [{ cards: 'active', payouts: undefined, due: undefined }, dashboard, true],
    [{ cards: 'pending', payouts: 'pending', due: undefined }, dashboard, false],
    [{ cards: 'active', payouts: 'restricted', due: 'past_due' }, onboarding, false],
    [{ cards: 'pending', payouts: 'pending', due: 'currently_due' }, onboarding, false],
    [{ cards: 'restricted', payouts: 'restricted', due: undefined }, onboarding, false],
    [{ cards: 'unsupported', payouts: 'active', due: undefined }, neither, false],
    [{ cards: 'rejected', payouts: 'rejected', due: undefined }, neither, false],
  ] as const) {
    Object.assign(only(), state)
    expect([state, (await ask()).body]).toEqual([state, expected])
    expect([state, await isSetUp(), await order()]).toEqual([state, takesOrders, takesOrders ? 201 : 409])
  }
  Object.assign(only(), { cards: 'active', payouts: 'active', due: undefined, dashboard: 'express' })
  expect((await ask()).body.login_link).toBe('https://connect.stripe.test/express/1')
  only().dashboard = 'none'
  expect((await ask()).body).toEqual(neither)
  Object.assign(only(), { cards: 'restricted', due: 'currently_due', dashboard: 'full', closed: true })
  expect((await ask()).body).toEqual(neither)
})

test('a signed event makes the server read the account again; a repeated, late or unrelated one does no harm', async () => {
  await ask()
  Object.assign(only(), { cards: 'active', payouts: 'active', due: undefined })
  provider.requests.length = 0
  expect((await notify({ id: 'evt_1' })).status).toBe(200)
  expect(await isSetUp()).toBe(true)
  expect((await notify({ id: 'evt_1' })).status).toBe(200)
  expect(provider.requests).toHaveLength(1)

  // A late, older event makes the server read the present state.
  expect((await notify({ id: 'evt_0' })).status).toBe(200)
  expect(await isSetUp()).toBe(true)
  only().cards = 'restricted'
  expect((await notify()).status).toBe(200)
  expect(await isSetUp()).toBe(false)

  provider.requests.length = 0
  expect((await notify({ account: 'acct_of_somebody_else' })).status).toBe(200)
  expect(provider.requests).toHaveLength(0)
})

test('an event that Stripe did not sign, that was changed, or that is dated more than five minutes back or ahead is refused', async () => {
  await ask()
  Object.assign(only(), { cards: 'active', payouts: 'active', due: undefined })
  for (const notice of [
    { secret: 'whsec_another' },
    { tamper: true },
    { ageSeconds: 301 },
    { ageSeconds: -360 },
  ])
    expect([notice, (await notify(notice)).status]).toEqual([notice, 403])
  expect((await desk.send('POST', '/providers/v1/payments/events', { body: '{}' })).status).toBe(403)
  expect(await isSetUp()).toBe(false)
  // A clock that runs a little ahead is no fault.
  expect((await notify({ ageSeconds: -60 })).status).toBe(200)
  expect(await isSetUp()).toBe(true)
})

test('an event that arrives while Stripe cannot be read gets a failure, so that Stripe repeats it', async () => {
  await ask()
  Object.assign(only(), { cards: 'active', payouts: 'active', due: undefined })
  provider.next({ status: 400, json: { error: { code: 'nonsense', message: 'no' } } })
  expect((await notify({ id: 'evt_again' })).status).toBe(502)
  expect((await notify({ id: 'evt_again' })).status).toBe(200)
  expect(await isSetUp()).toBe(true)
})

test('two servers that make the account at once make one', async () => {
  const [a, b] = await Promise.all([ask(), ask()])
  expect([a.status, b.status]).toEqual([200, 200])
  expect(accounts.size).toBe(1)
})

test('the server survives a broken connection and a full queue; other failures give a sentence, and nothing is made twice', async () => {
  provider.next('drop', {
    status: 429,
    json: { error: { code: 'rate_limit' } },
    headers: { 'stripe-should-retry': 'true' },
  })
  expect((await ask()).status).toBe(200)
  expect(accounts.size).toBe(1)

  for (const [answer, reason] of [
    [{ status: 502, text: '<html>Bad gateway</html>' }, /error of its own|cannot be read/],
    [{ text: '{"half":' }, /cannot be read|error of its own/],
    [{ status: 401, json: { error: { code: 'bad_key', message: 'sk_test_x is no key' } } }, /credential/],
  ] as const) {
    provider.next(answer, answer, answer)
    const refused = await ask()
    expect([reason.source, refused.status, refused.refusal.code]).toEqual([
      reason.source,
      502,
      'provider_error',
    ])
    expect(refused.refusal.message).toMatch(/Stripe/)
    expect(refused.text).not.toContain('sk_test')
    await expect.poll(lastFailure).toMatch(reason)
    provider.requests.length = 0
    // Planned answers for tries that did not happen would meet the next request.
    while ((await ask()).status !== 200) if (provider.requests.length > 6) throw new Error('still failing')
  }
  expect(accounts.size).toBe(1)
})

test('while Stripe does not answer, the owner reads so, and orders follow the account’s last status', async () => {
  const gone = await startLoopback(() => ({ json: {} }))
  await gone.stop()
  const alone = await openDesk({ STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_API_BASE: gone.url })
  try {
    const their = await alone.openShop()
    const answer = await alone.call('GET /v1/merchant/{tmk}/stripe', {
      as: their.owner,
      params: { tmk: their.key },
    })
    expect([answer.status, answer.refusal.code]).toEqual([502, 'provider_error'])
    expect(answer.refusal.message).toMatch(/Stripe cannot be reached/)
    const { body } = await alone.call('GET /c/v2/merchants/{tmk}', {
      as: their.owner,
      params: { tmk: their.key },
    })
    expect(body.paymentSetUp).toBe(true)
    expect((await alone.send('POST', '/providers/v1/payments/events', { body: '{}' })).status).toBe(404)
  } finally {
    await alone.stop()
  }
})

function openPayments() {
  const health = createHealthRecord(desk.app.db, (error) => expect.fail(String(error)))
  const payments = createStripePayments({
    stripe: createStripe({ secretKey: 'sk_test_x', apiBase: provider.url }, 1_500),
    outside: createOutside({ provider: 'Stripe', health }),
  })
  return { health, payments }
}

test('no answer in time: what had an effect is asked again under the same key, and what never answers is said so', async () => {
  const { payments, health } = openPayments()
  const merchant = { merchantId: shop.key, name: 'Shop', email: 'shop@example.com' }
  hangsAfterEffect = true
  const id = await payments.createAccount(merchant)
  provider.next('hang')
  expect(await payments.createAccount(merchant)).toBe(id)
  expect(accounts.size).toBe(1)
  const keys = provider.requests.map(({ headers }) => headers['idempotency-key'])
  expect(new Set(keys)).toEqual(new Set([`merchant-${shop.key}-stripe-account`]))

  provider.next('hang', 'hang', 'hang')
  await expect(payments.findAccount(id)).rejects.toMatchObject({ kind: 'no_answer', isEffectUnknown: true })
  await health.settled()
})

test('BILL-005 a shop that changed its name after a lost answer gets one account under the new name, however often it asks', async () => {
  const { payments, health } = openPayments()
  const merchant = { merchantId: shop.key, name: 'Shop', email: 'shop@example.com' }
  await payments.createAccount(merchant)
  const renamed = { ...merchant, name: 'Corner Shop' }
  const id = await payments.createAccount(renamed)
  expect(await payments.createAccount(renamed)).toBe(id)
  expect(accounts.size).toBe(2)
  // Nothing tells whether a try under way makes the account.
  const stillUnderWay = { error: { type: 'idempotency_error', message: 'The key is in use.' } }
  const busy = { status: 409, json: stillUnderWay }
  provider.next(busy, busy, busy)
  await expect(payments.createAccount({ ...merchant, name: 'Third' })).rejects.toMatchObject({
    kind: 'rejected',
  })
  expect(accounts.size).toBe(2)
  await health.settled()
})
