import Stripe from 'stripe'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openDesk, type Desk, type Shop } from '../../test/desk.ts'
import { eventually } from '../../test/eventually.ts'
import { startLoopback, type Loopback } from '../../test/processes/loopback.ts'

const secret = 'whsec_test_of_no_worth'
const stripe = new Stripe('sk_test_x')
let provider: Loopback
let desk: Desk
let shop: Shop
let account: string
let status: 'active' | 'restricted'
/** Of the next reading: it holds the state of its beginning, and arrives late. */
let holding: Promise<void> | undefined

beforeAll(async () => {
  provider = await startLoopback(async ({ path }) => {
    if (path.endsWith('/account_links'))
      return { json: { object: 'v2.core.account_link', url: 'https://connect.stripe.test/setup/1' } }
    const capability = { status, status_details: [] }
    const json = {
      id: account,
      object: 'v2.core.account',
      dashboard: 'full',
      configuration: {
        merchant: {
          capabilities: { card_payments: capability, stripe_balance: { payouts: capability } },
        },
      },
      requirements: { entries: [] },
    }
    const held = holding
    holding = undefined
    await held
    return { json }
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
  shop = await desk.openShop()
  account = `acct_${shop.key.replaceAll(/[^a-z0-9]/gi, '')}`
  await desk.owner.query(
    'update merchants set merchant_account_id = $2, payment_set_up = false, payment_status = null where merchant_id = $1',
    [shop.key, account],
  )
  provider.requests.length = 0
})

const byEvent = () => {
  const payload = JSON.stringify({
    id: `evt_${Math.random()}`,
    object: 'v2.core.event',
    type: 'v2.core.account[configuration.merchant].capability_status_updated',
    created: '2026-11-21T12:00:00.000Z',
    livemode: false,
    context: null,
    related_object: { id: account, type: 'v2.core.account', url: `/v2/core/accounts/${account}` },
  })
  const signature = stripe.webhooks.generateTestHeaderString({ payload, secret })
  return desk.send('POST', '/providers/v1/payments/events', {
    body: payload,
    headers: { 'stripe-signature': signature },
  })
}
const byOwner = () =>
  desk.call('GET /v1/merchant/{tmk}/stripe', { as: shop.owner, params: { tmk: shop.key } })

test.each([
  ['an event', byEvent, byOwner],
  ['the owner’s page', byOwner, byEvent],
])('GAP-152 a reading for %s that arrives late does not undo a later one', async (_for, early, late) => {
  let release = () => {}
  holding = new Promise((resolve) => (release = resolve))
  status = 'restricted'
  const first = early()
  await eventually(() => expect(provider.requests).toHaveLength(1))
  status = 'active'
  expect((await late()).status).toBe(200)
  release()
  expect((await first).status).toBe(200)
  const { body } = await desk.call('GET /c/v2/merchants/{tmk}', {
    as: shop.member,
    params: { tmk: shop.key },
  })
  expect(body.paymentSetUp).toBe(true)
})
