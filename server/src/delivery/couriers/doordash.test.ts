import { jwtVerify } from 'jose'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openDesk, openTurnableDesk, type TurnableDesk, type Shop } from '../../../test/desk.ts'
import { startLoopback, type Loopback, type LoopbackAnswer } from '../../../test/processes/loopback.ts'
import { orderIn, takeStep } from '../../../test/order-steps.ts'
import { anOrder } from '../../../test/orders.ts'
import { createDoorDashServer, type DoorDashDelivery } from '../../../test/providers/doordash.ts'

const secret = Buffer.from('a signing secret of DoorDash').toString('base64url')
const credential = 'doordash:a-long-webhook-secret'

/** Longer than a slow machine needs for an answer; three of them fit into one call. */
const timeoutMs = 7_000
const onHang = () => desk.clock.turn(timeoutMs)
let provider: Loopback
const doordash = createDoorDashServer()
const { deliveries } = doordash
/** What happens between the next look and its answer. */
let beforeAnswer: (() => Promise<unknown>) | undefined
let desk: TurnableDesk
let shop: Shop
beforeAll(async () => {
  provider = await startLoopback(
    async (request) => {
      const answer = await doordash.answer(request)
      await beforeAnswer?.()
      return answer
    },
    { onHang },
  )
  desk = await openTurnableDesk({
    DOORDASH_URL: provider.url,
    DOORDASH_DEVELOPER_ID: 'dev-1',
    DOORDASH_KEY_ID: 'key-1',
    DOORDASH_SIGNING_SECRET: secret,
    DOORDASH_WEBHOOK_CREDENTIAL: credential,
    PROVIDER_TIMEOUT_MS: String(timeoutMs),
  })
  shop = await desk.openShop()
})
beforeEach(() => {
  provider.requests.length = 0
  deliveries.clear()
})
afterAll(async () => {
  await desk.stop()
  await provider.stop()
})

const local = { status: 'MERCHANT_ACCEPTED', method: 'on_demand', courier_estimate_id: 'est-1' } as const
const accepted = async (recipient = anOrder('x').recipient) => orderIn(desk, shop, { ...local, recipient })
const request = async (id: string) =>
  desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/courier', {
    as: shop.member,
    params: { tmk: shop.key, id },
    body: {
      courier_info: {
        dispatch_type: 'immediate',
        number_of_package: 3,
        pickup_instructions: 'Side door',
      },
    },
  })
const cancel = async (id: string) =>
  desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/courier/cancel', {
    as: shop.member,
    params: { tmk: shop.key, id },
  })
const read = async (id: string) =>
  (await desk.call('GET /m/v2/orders/{id}', { as: shop.member, params: { id } })).body
const creations = () => provider.requests.filter(({ path }) => path.endsWith('/accept'))
const callback = (body: object, as = `Basic ${Buffer.from(credential).toString('base64')}`) =>
  desk.send('POST', '/providers/v1/couriers/doordash/events', { as, body })
const statusesOf = (orderId: string) =>
  [...deliveries].filter(([id]) => id.startsWith(`${orderId}-`)).map(([, each]) => each.delivery_status)
const only = (): [string, DoorDashDelivery] =>
  [...deliveries.entries()][0] ?? ['', { delivery_status: 'none' }]

test('API-037 a delivery is quoted and accepted under our own id, signed, with alcohol and ID check', async () => {
  const order = await accepted()
  const { status, body } = await request(order.id)
  expect([status, body.courier_info]).toEqual([
    200,
    expect.objectContaining({
      provider: 'DoorDash',
      order_status: 'ORDER_REQUESTED',
      number_of_packages: 3,
      tracking_url: 'https://track.doordash.example/1',
      estimated_delivery_time: '2026-11-21T20:30:00.000Z',
    }),
  ])
  const [quote, accept] = provider.requests
  expect(quote?.json).toMatchObject({
    external_delivery_id: expect.stringMatching(new RegExp(`^${order.id}-1-[0-9a-f]{10}$`)),
    order_contains: { alcohol: true },
    dropoff_options: { id_verification: 'required', signature: 'required' },
    contactless_dropoff: false,
    action_if_undeliverable: 'return_to_pickup',
    pickup_instructions: '3 bags. Side door',
    pickup_reference_tag: `Order ${order.id}`,
    dropoff_address: '118 Pearl St, New York, NY 10005',
    order_value: Math.round(order.transaction.subtotal * 100),
    items: expect.arrayContaining([expect.objectContaining({ quantity: 2 })]),
  })
  expect(accept?.path).toMatch(/^\/quotes\/.+\/accept$/)
  const token = quote?.headers.authorization?.replace('Bearer ', '') ?? ''
  const verified = await jwtVerify(token, Buffer.from(secret, 'base64'), {
    audience: 'doordash',
    issuer: 'dev-1',
  })
  expect(verified.protectedHeader).toMatchObject({ alg: 'HS256', 'dd-ver': 'DD-JWT-V1' })
  expect(verified.payload['kid']).toBe('key-1')
  expect((verified.payload.exp ?? 0) - (verified.payload.iat ?? 0)).toBeLessThanOrEqual(1800)
})

test.each([
  [
    { code: 'invalid_delivery_parameters', reason: 'distance_too_long' },
    'This address is too far away for a courier.',
  ],
  [
    {
      code: 'validation_error',
      field_errors: [{ field: 'dropoff_phone_number', error: 'Invalid phone number' }],
    },
    'DoorDash did not accept dropoff phone number: Invalid phone number',
  ],
  [{ code: 'invalid_delivery_parameters', message: 'Store is closed' }, 'DoorDash says: Store is closed'],
  [{ code: 'validation_error', message: 'Store\0is closed' }, 'DoorDash says: Store is closed'],
  [
    { code: 'validation_error', field_errors: [{ field: 'dropoff\0phone', error: '\ud800' }] },
    'DoorDash did not accept dropoff phone: \ufffd',
  ],
  [{ reason: 'constructor', field_errors: [null], message: 'Closed' }, 'DoorDash says: Closed'],
  [
    { code: 'validation_error', field_errors: [1, { field: 'x' }], message: 'Closed' },
    'DoorDash says: Closed',
  ],
])('DELIV-015 a refusal is said in words: %o', async (answer, message) => {
  const order = await accepted()
  provider.nextTo(/^POST .*quotes$/, { status: 422, json: answer })
  const refused = await request(order.id)
  expect([refused.status, refused.refusal.errors]).toEqual([422, [{ message }]])
  expect(creations()).toHaveLength(0)
  // Nothing of the refused request is left in the way of another one.
  expect((await request(order.id)).status).toBe(200)
})

/** DoorDash takes the quote, and the answer to its acceptance is lost after the effect. */
async function withLostAnswer(id: string, answer: LoopbackAnswer) {
  doordash.losing = answer
  const reply = await request(id)
  doordash.losing = undefined
  return reply
}

test.each([
  ['an HTML 502', { status: 502, text: '<html>Bad gateway</html>' }],
  ['malformed JSON', { text: '{"half":' }],
  ['a cut line', 'drop'],
  ['silence', 'hang'],
] as const)(
  '%s after the effect: the result is unknown, and the next try asks before it acts',
  async (_, answer) => {
    const order = await accepted()
    const failing = await withLostAnswer(order.id, answer)
    expect([failing.status, failing.refusal.code]).toEqual([502, 'courier_failed'])
    const again = await request(order.id)
    expect(again.body.courier_info?.order_status).toBe('ORDER_REQUESTED')
    expect([creations().length, deliveries.size]).toEqual([1, 1])
  },
)

test.each([
  ['is lost before its effect', 'drop', 'courier_failed'],
  [
    'is refused',
    { status: 422, json: { code: 'quote_expired', message: 'Quote expired' } },
    'courier_refused',
  ],
] as const)('an acceptance that %s leaves a quote alone, which is no courier', async (_, answer, code) => {
  const order = await accepted()
  provider.nextTo(/\/accept$/, answer)
  expect((await request(order.id)).refusal.code).toBe(code)
  expect((await read(order.id)).courier_info).toBeNull()
  expect((await request(order.id)).status).toBe(200)
  expect(statusesOf(order.id)).toContain('created')
})

test('silence before the effect leaves nothing behind', async () => {
  const order = await accepted()
  doordash.isDeaf = true
  expect((await request(order.id)).status).toBe(502)
  doordash.isDeaf = false
  expect(deliveries.size).toBe(0)
  expect((await request(order.id)).status).toBe(200)
  expect([creations().length, deliveries.size]).toEqual([1, 1])
})

test('429 with Retry-After is waited for, and makes one delivery', async () => {
  const order = await accepted()
  provider.nextTo(/^POST .*quotes$/, {
    status: 429,
    headers: { 'retry-after': '1' },
    json: { code: 'too_many_requests' },
  })
  expect((await request(order.id)).status).toBe(200)
  expect(creations()).toHaveLength(1)
})

test('webhooks move the order to DoorDash’s present state, once, in any sequence and number', async () => {
  const order = await accepted()
  await request(order.id)
  const [id, delivery] = only()
  const tell = async (delivery_status: string, event_name: string) => {
    delivery.delivery_status = delivery_status
    const answer = await callback({ event_name, external_delivery_id: id })
    expect(answer.status).toBe(200)
  }
  await tell('picked_up', 'DASHER_CONFIRMED')
  await expect.poll(async () => (await read(order.id)).status).toBe('MERCHANT_SHIPPED')
  const { version } = await read(order.id)
  for (const event of ['DASHER_CONFIRMED', 'DASHER_PICKED_UP', 'DASHER_PICKED_UP'])
    await tell('picked_up', event)
  await tell('delivered', 'DASHER_DROPPED_OFF')
  await expect.poll(async () => (await read(order.id)).status).toBe('CLOSED')
  expect((await read(order.id)).version).toBe(version + 1)
})

test('a callback during the storing of an earlier answer leads to another question', async () => {
  const order = await accepted()
  await request(order.id)
  const [id, delivery] = only()
  const callBack = () => callback({ event_name: 'DASHER_MOVED', external_delivery_id: id })
  const writer = await desk.owner.connect()
  try {
    await writer.query('begin')
    await writer.query('select from orders where order_id = $1 for update', [order.id])
    delivery.delivery_status = 'picked_up'
    provider.requests.length = 0
    await callBack()
    await expect.poll(() => provider.about(id).length).toBeGreaterThan(0)
    delivery.delivery_status = 'delivered'
    await callBack()
  } finally {
    await writer.query('commit')
    writer.release()
  }
  await expect.poll(async () => (await read(order.id)).status).toBe('CLOSED')
})

test('a returned delivery is the shop’s again, with the reason', async () => {
  const order = await accepted()
  await request(order.id)
  const [id, delivery] = only()
  delivery.delivery_status = 'picked_up'
  await callback({ external_delivery_id: id })
  await expect.poll(async () => (await read(order.id)).status).toBe('MERCHANT_SHIPPED')
  delivery.delivery_status = 'returned'
  await callback({ external_delivery_id: id })
  await expect
    .poll(async () => (await read(order.id)).status_comment)
    .toBe('The courier could not hand it over and brought it back')
  expect((await read(order.id)).status).toBe('MERCHANT_ACCEPTED')
})

test('a webhook with a missing or wrong credential is ignored', async () => {
  const order = await accepted()
  await request(order.id)
  const [id, delivery] = only()
  delivery.delivery_status = 'delivered'
  const asked = provider.about(id).length
  for (const as of ['', 'Basic !', `Basic ${Buffer.from('doordash:wrong').toString('base64')}`])
    expect((await callback({ external_delivery_id: id }, as)).status).toBe(403)
  expect(provider.about(id)).toHaveLength(asked)
})

test.each([
  [['Ada', 'Byron King'], 'Ada', 'Byron King'],
  [['', 'Prince'], 'Prince', 'Prince'],
] as const)(
  'DoorDash gets a given and a family name of %j',
  async ([first_name, last_name], given, family) => {
    await request((await accepted({ ...anOrder('x').recipient, first_name, last_name })).id)
    expect(only()[1]).toMatchObject({
      dropoff_contact_given_name: given,
      dropoff_contact_family_name: family,
    })
  },
)

test('T28 a cancelled delivery is cancelled at DoorDash, or the clerk reads that it is too late', async () => {
  const order = await accepted()
  await request(order.id)
  expect((await cancel(order.id)).body.courier_info?.order_status).toBe('ORDER_CANCELLED')
  expect(only()[1].delivery_status).toBe('cancelled')
  deliveries.clear()
  const other = await accepted()
  await request(other.id)
  only()[1].delivery_status = 'picked_up'
  const late = await cancel(other.id)
  expect([late.status, late.refusal.message]).toEqual([422, expect.stringContaining('picked up')])
})

test('T28 a cancel whose answer was lost counts, although DoorDash refuses its repetition', async () => {
  const order = await accepted()
  await request(order.id)
  const [, delivery] = only()
  delivery.delivery_status = 'cancelled'
  doordash.whyNoCancel = 'delivery_cancelled'
  const cancelled = await cancel(order.id)
  doordash.whyNoCancel = undefined
  expect(cancelled.body.courier_info?.order_status).toBe('ORDER_CANCELLED')
})

test.each([
  ['failed_to_assign_and_refunded', 'ORDER_FAILED', 'No courier was found'],
  ['failed_to_pickup', 'ORDER_FAILED', 'The courier failed (failed to pickup)'],
  ['cancelled_by_support', 'ORDER_CANCELLED', 'The courier was cancelled'],
])('T20 DoorDash ends a delivery with %s, and the order says so', async (why, status, words) => {
  const order = await accepted()
  await request(order.id)
  const [id, delivery] = only()
  Object.assign(delivery, { delivery_status: 'cancelled', cancellation_reason: why })
  await callback({ external_delivery_id: id })
  await expect.poll(async () => (await read(order.id)).courier_info?.order_status).toBe(status)
  expect((await read(order.id)).status_comment).toBe(words)
})

test('a courier’s failure stays with its delivery when an earlier look at it ends late', async () => {
  const order = await accepted()
  await request(order.id)
  const [id, delivery] = only()
  const rows = 'select state, stage from courier_deliveries where order_id = $1'
  const stored = async () => (await desk.owner.query(rows, [order.id])).rows
  const failed = [{ state: 'over', stage: 'failed' }]
  beforeAnswer = async () => {
    beforeAnswer = undefined
    Object.assign(delivery, { delivery_status: 'cancelled', cancellation_reason: 'failed_to_pickup' })
    await callback({ external_delivery_id: id })
    await expect.poll(stored).toEqual(failed)
  }
  const refreshed = await takeStep(desk, shop, { order: await read(order.id), step: 'refresh_courier' })
  expect(refreshed.body.courier_info?.order_status).toBe('ORDER_FAILED')
  expect(await stored()).toEqual(failed)
})

test.each<[why: string, words: string, ...looks: LoopbackAnswer[]]>([
  ['delivery_creation_in_progress', 'cannot be cancelled yet'],
  ['delivery_creation_in_progress', 'cannot be cancelled yet', { status: 404 }],
  ['duplicate_request', 'already cancelling'],
  ['cancellation_window_closed', 'too far on the way'],
  ['toString', 'DoorDash did not cancel it: Not now'],
])('T28 DoorDash refuses a cancel for %s, and the clerk reads it', async (why, words, ...looks) => {
  const order = await accepted()
  await request(order.id)
  provider.nextTo(/\/deliveries\/[^/]+$/, ...looks)
  doordash.whyNoCancel = why
  const { status, refusal } = await cancel(order.id)
  doordash.whyNoCancel = undefined
  const stays = (await read(order.id)).courier_info?.order_status
  expect([status, refusal.message, stays]).toEqual([422, expect.stringContaining(words), 'ORDER_REQUESTED'])
})

test('T28 a cancel that DoorDash takes and answers with a delivery cancels nothing', async () => {
  const order = await accepted()
  await request(order.id)
  const [, delivery] = only()
  delivery.delivery_status = 'delivered'
  provider.nextTo(/\/cancel$/, { json: { ...delivery } })
  const { status, refusal } = await cancel(order.id)
  expect([status, refusal.message]).toEqual([422, expect.stringContaining('has delivered')])
  await expect.poll(async () => (await read(order.id)).status).toBe('CLOSED')
})

test('half a configuration stops the start, and is named', async () =>
  expect(openDesk({ DOORDASH_DEVELOPER_ID: 'dev-1' })).rejects.toThrow(/DOORDASH_KEY_ID/))

test('without an answer the clerk reads so, and the order is free', async () => {
  const gone = await startLoopback(() => ({ json: {} }))
  await gone.stop()
  const alone = await desk.another({ DOORDASH_URL: gone.url })
  const order = await accepted()
  const refused = await alone.call('POST /m/v2/merchant/{tmk}/orders/{id}/courier', {
    as: shop.member,
    params: { tmk: shop.key, id: order.id },
    body: { courier_info: { dispatch_type: 'immediate', number_of_package: 3 } },
  })
  // This server's own worker may already have found that out often enough.
  expect([refused.status, refused.refusal.message]).toEqual([
    502,
    expect.stringMatching(/^DoorDash (cannot be reached|has not been answering)\. Nothing was done\./),
  ])
  expect((await request(order.id)).status).toBe(200)
})

test.each([
  ['fee', 975.5],
  ['fee', 1e30],
  ['fee', -850],
  ['tracking_url', 5],
  ['tracking_url', {}],
  ['tracking_url', `https://x.test/${'x'.repeat(10_000)}`],
  ['tracking_url', 'https://x.test/\u0000'],
  ['delivery_status', 'constructor'],
  ['delivery_status', '__proto__'],
  ['pickup_time_estimated', '0001-01-01T00:00:00Z'],
  ['pickup_time_estimated', '+020000-01-01T00:00:00Z'],
  ['dropoff_time_estimated', {}],
  ['dropoff_time_estimated', '7'],
  ['dropoff_time_estimated', '2026-02-30T20:00:00Z'],
  ['cancellation_reason', 7],
  ['external_delivery_id', 'x\u0000'],
  ['external_delivery_id', 'x\ud800'],
] as const)('an answer whose %s is %j still gives the order its courier', async (field, value) => {
  doordash.odd = { [field]: value }
  const order = await accepted()
  try {
    expect((await request(order.id)).status).toBe(200)
  } finally {
    doordash.odd = {}
  }
  const { courier_info: info } = await read(order.id)
  expect(info).toMatchObject({ provider: 'DoorDash', order_status: 'ORDER_REQUESTED' })
  if (field === 'tracking_url') expect(info?.tracking_url).toBeNull()
  const fees = 'select fee_cents from courier_deliveries where order_id = $1'
  if (field === 'fee') expect((await desk.owner.query(fees, [order.id])).rows).toEqual([{ fee_cents: null }])
  if (field === 'dropoff_time_estimated') expect(info?.estimated_delivery_time ?? null).toBeNull()
})
