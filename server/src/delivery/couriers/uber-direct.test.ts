import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTurnableDesk, type TurnableDesk, type Shop } from '../../../test/desk.ts'
import { startLoopback, type Loopback } from '../../../test/processes/loopback.ts'
import { orderIn } from '../../../test/order-steps.ts'
import { createUber, type UberDelivery, uberSettings } from '../../../test/providers/uber.ts'

/** Longer than a slow machine needs for an answer; three of them fit into one call. */
const timeoutMs = 7_000
const onHang = () => desk.clock.turn(timeoutMs)
let provider: Loopback
const uber = createUber()
const { deliveries } = uber
let desk: TurnableDesk
let shop: Shop
beforeAll(async () => {
  provider = await startLoopback((request) => uber.answer(request), { onHang })
  desk = await openTurnableDesk({
    ...uberSettings(provider.url),
    PROVIDER_TIMEOUT_MS: String(timeoutMs),
  })
  shop = await desk.openShop()
})
beforeEach(() => {
  provider.requests.length = 0
  deliveries.clear()
  uber.listing = { most: 50, isOldestFirst: false }
})
afterAll(async () => {
  await desk.stop()
  await provider.stop()
})

const accepted = async () =>
  orderIn(desk, shop, { status: 'MERCHANT_ACCEPTED', method: 'on_demand', courier_estimate_id: 'est-1' })
const request = async (id: string) =>
  desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/courier', {
    as: shop.member,
    params: { tmk: shop.key, id },
    body: { courier_info: { dispatch_type: 'immediate', number_of_package: 2 } },
  })
const read = async (id: string) =>
  (await desk.call('GET /m/v2/orders/{id}', { as: shop.member, params: { id } })).body
const creations = () =>
  provider.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/deliveries'))
const callback = (body: object, signature?: string) => {
  const text = JSON.stringify(body)
  const right = createHmac('sha256', 'webhook-key').update(text).digest('hex')
  return desk.send('POST', '/providers/v1/couriers/uber/events', {
    body: text,
    headers: { 'x-uber-signature': signature ?? right },
  })
}

test('API-037 a delivery is quoted and created with ID check, signature and return, with one token', async () => {
  const order = await accepted()
  const { body } = await request(order.id)
  expect(body.courier_info).toMatchObject({
    provider: 'Uber Direct',
    order_status: 'ORDER_REQUESTED',
    tracking_url: 'https://www.ubereats.com/orders/1',
  })
  expect(creations()[0]?.json).toMatchObject({
    quote_id: 'dqt_1',
    external_id: expect.stringMatching(new RegExp(`^${order.id}-1-`)),
    undeliverable_action: 'return',
    dropoff_verification: {
      identification: { min_age: 21 },
      signature_requirement: { enabled: true, collect_signer_name: true },
    },
    pickup_notes: `Order ${order.id}, 2 bags.`,
    manifest_reference: order.id,
  })
  await request((await accepted()).id)
  const tokens = provider.requests.filter(({ path }) => path === '/oauth/v2/token')
  expect(tokens).toHaveLength(1)
  expect(new URLSearchParams(tokens[0]?.text).get('scope')).toBe('eats.deliveries')
})

test('a revoked token is replaced once', async () => {
  uber.isTokenGone = true
  expect((await request((await accepted()).id)).status).toBe(200)
})

test.each([
  ['address_undeliverable', 'No courier serves this address.'],
  ['couriers_busy', 'All couriers are busy right now. Please try again in a few minutes.'],
  ['something_new', 'Uber Direct did not take this delivery.'],
  ['constructor', 'Uber Direct did not take this delivery.'],
])('DELIV-015 %s is said in words', async (code, message) => {
  const order = await accepted()
  provider.nextTo(/^POST .*_quotes$/, { status: 422, json: { code, message: 'x', kind: 'error' } })
  const refused = await request(order.id)
  expect([refused.status, refused.refusal.errors]).toEqual([422, [{ message }]])
})

test.each([
  ['an HTML 502', { status: 502, text: '<html>Bad gateway</html>' }],
  ['malformed JSON', { text: '{"half":' }],
  ['a cut line', 'drop'],
  ['silence', 'hang'],
] as const)('%s after the effect: it is unknown, and found again by our own name', async (_, answer) => {
  const order = await accepted()
  uber.losing = answer
  expect((await request(order.id)).refusal.code).toBe('courier_failed')
  uber.losing = undefined
  expect((await request(order.id)).body.courier_info?.order_status).toBe('ORDER_REQUESTED')
  expect([creations().length, deliveries.size]).toEqual([1, 1])
})

/** What other shops of the same account have asked for meanwhile, or before. */
function others(count: number, created: Date): void {
  for (let n = 0; n < count; n++) {
    const id = `del_other_${deliveries.size}`
    deliveries.set(id, {
      id,
      external_id: `other-${id}`,
      status: 'delivered',
      created: created.toISOString(),
    })
  }
}

test('a lost delivery is found on a busy account, so that no second courier comes', async () => {
  others(40, new Date(Date.now() - 7_200_000))
  const order = await accepted()
  uber.losing = 'drop'
  expect((await request(order.id)).refusal.code).toBe('courier_failed')
  uber.losing = undefined
  others(120, new Date())
  expect((await request(order.id)).body.courier_info?.order_status).toBe('ORDER_REQUESTED')
  expect(creations()).toHaveLength(1)
})

test.each([
  ['shorter pages than asked for', { most: 7, isOldestFirst: false }],
  ['the oldest first', { most: 50, isOldestFirst: true }],
])('a lost delivery is found in a list with %s', async (_, how) => {
  for (let hours = 80; hours > 2; hours--) others(1, new Date(Date.now() - hours * 3_600_000))
  const order = await accepted()
  uber.losing = 'drop'
  await request(order.id)
  uber.losing = undefined
  others(20, new Date())
  uber.listing = how
  expect((await request(order.id)).body.courier_info?.order_status).toBe('ORDER_REQUESTED')
  expect(creations()).toHaveLength(1)
})

test('a lost delivery is found though Uber’s clock is behind ours', async () => {
  const order = await accepted()
  uber.losing = 'drop'
  await request(order.id)
  uber.losing = undefined
  const behind = new Date(Date.now() - 1_800_000)
  for (const delivery of deliveries.values()) delivery['created'] = behind.toISOString()
  others(60, behind)
  expect((await request(order.id)).body.courier_info?.order_status).toBe('ORDER_REQUESTED')
  expect(creations()).toHaveLength(1)
})

test('a delivery that the list shows late is found once Uber calls its repetition a duplicate', async () => {
  const order = await accepted()
  uber.losing = 'drop'
  await request(order.id)
  uber.losing = undefined
  provider.nextTo(/^GET .*\/deliveries$/, { json: { data: [] } })
  expect((await request(order.id)).body.courier_info?.order_status).toBe('ORDER_REQUESTED')
  expect([creations().length, deliveries.size]).toEqual([2, 1])
})

test('a list without its deliveries is no word that a lost one is not there', async () => {
  const order = await accepted()
  uber.losing = 'drop'
  expect((await request(order.id)).refusal.code).toBe('courier_failed')
  uber.losing = undefined
  provider.nextTo(/^GET .*\/deliveries$/, { json: {} })
  await desk.turn(121_000)
  const looked = 'select state from courier_deliveries where order_id = $1 and due_at > now()'
  await desk.later(async () => expect((await desk.owner.query(looked, [order.id])).rows).toHaveLength(1))
  expect((await desk.owner.query(looked, [order.id])).rows).not.toEqual([{ state: 'refused' }])
  await request(order.id)
  expect([creations().length, deliveries.size]).toEqual([1, 1])
})

test.each([
  ['a look that is refused', /^GET .*\/deliveries$/, [{ status: 403, json: {} }, 'not known yet']],
  [
    'a repetition that is refused',
    /^POST .*_quotes$/,
    [{ status: 422, json: { code: 'couriers_busy' } }, ''],
  ],
] as const)(
  '%s leaves the doubt about a lost delivery, so that no second courier comes',
  async (_, at, [answer, words]) => {
    const order = await accepted()
    uber.losing = 'drop'
    await request(order.id)
    uber.losing = undefined
    if (at.test('POST x_quotes')) provider.nextTo(/^GET .*\/deliveries$/, { json: { data: [] } })
    provider.nextTo(at, answer)
    const refused = await desk.passing(request(order.id))
    expect([refused.status === 200, refused.refusal.message]).toEqual([false, expect.stringContaining(words)])
    const found = await desk.passing(request(order.id))
    expect(found.body.courier_info?.order_status).toBe('ORDER_REQUESTED')
    expect([creations().length, deliveries.size]).toEqual([1, 1])
  },
)

test('a request that never arrived is looked for until before it was made, and is then made', async () => {
  const order = await accepted()
  await withToken()
  others(400, new Date(Date.now() - 7_200_000))
  provider.nextTo(/^POST .*\/deliveries$/, 'drop')
  expect((await request(order.id)).refusal.code).toBe('courier_failed')
  provider.requests.length = 0
  expect((await request(order.id)).status).toBe(200)
  const looks = provider.requests.filter(
    ({ method, path }) => method === 'GET' && path.endsWith('/deliveries'),
  )
  expect([looks.length, creations().length]).toEqual([1, 1])
})

test.each([
  ['by its id', { id: 'ret_1' }],
  ['by what it is to the first', { id: 'del_back', relationship: 'returned' }],
])('bottles on a way back known %s are with the courier until that is over', async (_, related) => {
  const order = await accepted()
  await request(order.id)
  const [delivery] = [...deliveries.values()]
  if (delivery === undefined) throw new Error('Nothing was created')
  const event = { kind: 'event.delivery_status', data: { external_id: delivery.external_id } }
  delivery.status = 'pickup_complete'
  await callback(event)
  await expect.poll(async () => (await read(order.id)).status).toBe('MERCHANT_SHIPPED')
  const wayBack: UberDelivery = { id: related.id, external_id: 'none', status: 'pickup' }
  deliveries.set(related.id, wayBack)
  delivery.status = 'returned'
  delivery['related_deliveries'] = [{ id: 'del_other', relationship: 'original' }, related]
  for (const status of ['pickup', 'pickup_complete', 'dropoff']) {
    wayBack.status = status
    provider.requests.length = 0
    await callback(event)
    await expect.poll(() => provider.requests.some(({ path }) => path.endsWith(`/${related.id}`))).toBe(true)
    expect(await read(order.id)).toMatchObject({
      status: 'MERCHANT_SHIPPED',
      courier_info: { order_status: 'ORDER_PICKED_UP' },
    })
  }
  wayBack.status = 'delivered'
  await callback(event)
  await expect.poll(async () => (await read(order.id)).status).toBe('MERCHANT_ACCEPTED')
  expect((await read(order.id)).status_comment).toBe('The courier could not hand it over and brought it back')
})

test('signed webhooks move the order, an unsigned one does not, and where the courier drives is not asked about', async () => {
  const order = await accepted()
  await request(order.id)
  const [delivery] = [...deliveries.values()]
  if (delivery === undefined) throw new Error('Nothing was created')
  const about = () => provider.about(delivery.id)
  const asked = about().length
  const event = { kind: 'event.delivery_status', data: { external_id: delivery.external_id } }
  delivery.status = 'pickup_complete'
  expect((await callback(event, 'a'.repeat(64))).status).toBe(403)
  expect((await callback({ ...event, kind: 'event.courier_update' })).status).toBe(200)
  expect(about()).toHaveLength(asked)
  for (let times = 0; times < 2; times++) expect((await callback(event)).status).toBe(200)
  await expect.poll(async () => (await read(order.id)).status).toBe('MERCHANT_SHIPPED')
})

test('an answer that names another delivery does not take the place of the one that was asked about', async () => {
  const order = await accepted()
  await request(order.id)
  const refresh = () =>
    desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/courier/refresh', {
      as: shop.member,
      params: { tmk: shop.key, id: order.id },
    })
  uber.odd = { id: 'del_of-somebody-else' }
  try {
    await refresh()
  } finally {
    uber.odd = {}
  }
  const [delivery] = deliveries.values()
  if (delivery) delivery.tracking_url = 'https://www.ubereats.com/orders/2'
  expect((await refresh()).body.courier_info.tracking_url).toBe('https://www.ubereats.com/orders/2')
})

test('a failure with a code that cannot be stored is told like any other', async () => {
  const order = await accepted()
  provider.nextTo(/^POST .*\/deliveries$/, { status: 500, json: { code: 'un\0known' } })
  const failed = await request(order.id)
  expect([failed.status, failed.refusal.code]).toEqual([502, 'courier_failed'])
})

test('T28 a delivery is cancelled at Uber while that is possible', async () => {
  // One order each: after a refusal the background work asks at once, and moves the order to where its courier is.
  const cancelOne = async (status: string) => {
    deliveries.clear()
    const order = await accepted()
    await request(order.id)
    for (const delivery of deliveries.values()) delivery.status = status
    return desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/courier/cancel', {
      as: shop.member,
      params: { tmk: shop.key, id: order.id },
    })
  }
  for (const [status, why] of [
    ['pickup', 'on the way to the store'],
    ['dropoff', 'has picked up'],
    ['returned', 'bringing it back'],
  ] as const)
    expect((await cancelOne(status)).refusal).toMatchObject({
      code: 'courier_refused',
      message: expect.stringContaining(why),
    })
  expect((await cancelOne('pending')).body.courier_info?.order_status).toBe('ORDER_CANCELLED')
})

test('T28 a cancel that Uber takes and answers with a courier who has the bottles cancels nothing', async () => {
  const order = await accepted()
  await request(order.id)
  provider.nextTo(/\/cancel$/, { json: { status: 'dropoff' } })
  const refused = await desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/courier/cancel', {
    as: shop.member,
    params: { tmk: shop.key, id: order.id },
  })
  expect(refused.refusal.message).toContain('has picked up')
  expect((await read(order.id)).courier_info?.order_status).toBe('ORDER_REQUESTED')
})

/** Fetches a token first, so that a planned answer meets the call itself. */
async function withToken(): Promise<void> {
  await request((await accepted()).id)
  provider.requests.length = 0
  deliveries.clear()
}

test('silence before the effect leaves nothing behind', async () => {
  await withToken()
  const order = await accepted()
  // The quote may be requested again, so it is; none of the tries created anything.
  provider.nextTo(/^POST .*_quotes$/, 'hang', 'hang', 'hang')
  expect((await request(order.id)).refusal.code).toBe('courier_failed')
  expect(deliveries.size).toBe(0)
  expect((await request(order.id)).status).toBe(200)
  expect([creations().length, deliveries.size]).toEqual([1, 1])
})

test('429 with Retry-After is waited for, and makes one delivery', async () => {
  await withToken()
  provider.nextTo(/^POST .*_quotes$/, { status: 429, headers: { 'retry-after': '1' }, json: {} })
  expect((await request((await accepted()).id)).status).toBe(200)
  expect(creations()).toHaveLength(1)
})

test('late news, or a replay with its old signature, move nothing back', async () => {
  const order = await accepted()
  await request(order.id)
  const [delivery] = [...deliveries.values()]
  if (delivery === undefined) throw new Error('Nothing was created')
  const event = (status: string) => ({
    kind: 'event.delivery_status',
    status,
    data: { external_id: delivery.external_id, status },
  })
  delivery.status = 'delivered'
  await callback(event('delivered'))
  await expect.poll(async () => (await read(order.id)).status).toBe('CLOSED')
  const { version } = await read(order.id)
  for (const status of ['pickup', 'pickup_complete', 'pickup'])
    expect((await callback(event(status))).status).toBe(200)
  // The news of another delivery, told after them, has been looked at.
  const later = await accepted()
  await request(later.id)
  const last = [...deliveries.values()].find(({ external_id: id }) => id !== delivery.external_id)
  if (last === undefined) throw new Error('Nothing was created')
  last.status = 'pickup_complete'
  const data = { external_id: last.external_id, status: last.status }
  expect((await callback({ kind: 'event.delivery_status', data })).status).toBe(200)
  await expect.poll(async () => (await read(later.id)).status).toBe('MERCHANT_SHIPPED')
  expect(await read(order.id)).toMatchObject({ version, status: 'CLOSED' })
})

test('without an answer the clerk reads so, and the order is free', async () => {
  const gone = await startLoopback(() => ({ json: {} }))
  await gone.stop()
  const alone = await desk.another({ UBER_URL: gone.url, UBER_TOKEN_URL: `${gone.url}/token` })
  const order = await accepted()
  const refused = await alone.call('POST /m/v2/merchant/{tmk}/orders/{id}/courier', {
    as: shop.member,
    params: { tmk: shop.key, id: order.id },
    body: { courier_info: { dispatch_type: 'immediate', number_of_package: 2 } },
  })
  // This server's own worker may already have found that out often enough.
  expect([refused.status, refused.refusal.message]).toEqual([
    502,
    expect.stringMatching(/^Uber Direct (cannot be reached|has not been answering)\. Nothing was done\./),
  ])
  expect((await request(order.id)).status).toBe(200)
})

test.each([
  { fee: 8.5 },
  { id: {} },
  { tracking_url: 7 },
  { status: 'constructor' },
  { dropoff_eta: '0001-01-01T00:00:00Z' },
  { related_deliveries: {}, status: 'returned' },
  { related_deliveries: [null, { id: 7, relationship: 'returned' }], status: 'returned' },
])('an answer with %j still gives the order its courier', async (said) => {
  uber.odd = said
  const order = await accepted()
  try {
    expect((await request(order.id)).status).toBe(200)
  } finally {
    uber.odd = {}
  }
  expect((await read(order.id)).courier_info?.provider).toBe('Uber Direct')
})
