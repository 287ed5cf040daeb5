import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Shop, TurnableDesk } from '../../../../test/desk.ts'
import { openEasyPostDesk } from '../../../../test/providers/easypost-desk.ts'
import type { EasyPostServer } from '../../../../test/providers/easypost-server.ts'
import { orderIn } from '../../../../test/order-steps.ts'
import { anOrder } from '../../../../test/orders.ts'
import { signEvent } from '../../tracking/tracker-events.ts'

let easyPost: EasyPostServer
let desk: TurnableDesk
let shop: Shop
let stop: () => Promise<void>
let webhookSecret: string
beforeAll(async () => {
  ;({ easyPost, desk, shop, stop, webhookSecret } = await openEasyPostDesk())
})
afterAll(() => stop())
beforeEach(() => {
  easyPost.rateMessages = undefined
  easyPost.requests.length = 0
})

function connect(
  account: { carrier: 'FedEx' | 'UPS' | 'GSO'; account_number: string },
  extra: { label_size?: '4x6' | '8.5x11'; label_format?: 'PDF' | 'PNG' | 'ZPL'; at?: Shop } = {},
) {
  const { at = shop, ...paper } = extra
  return desk.call('PUT /c/v2/merchants/{tmk}/carrier_integration', {
    as: at.manager,
    params: { tmk: at.key },
    body: { account_zip: '10001', label_size: '4x6', label_format: 'PDF', ...account, ...paper },
  })
}

const accepted = (changes: object = {}) => orderIn(desk, shop, { status: 'MERCHANT_ACCEPTED', ...changes })
const buy = (id: string, boxes: object[] = [{ weight: 4.5 }]) =>
  desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/shipping_labels', {
    as: shop.member,
    params: { tmk: shop.key, id },
    body: { order_id: id, boxes },
  })
const read = async (id: string) =>
  (await desk.call('GET /m/v2/orders/{id}', { as: shop.member, params: { id } })).body
const sold = () => [...easyPost.shipments.values()].filter(({ tracking_code }) => tracking_code !== null)
const soldFor = (id: string) =>
  sold().filter(({ request }) => String(request['reference']).startsWith(`${id}:`))
/** Ends the lease, as if the process that holds it hung. */
const hurry = (id: string) =>
  desk.owner.query(
    `update label_purchases set lease_until = now(), attempt = attempt + 1 where order_id = $1`,
    [id],
  )
const isGivenUp = async (id: string) => {
  const { rows } = await desk.owner.query<{ state: string }>(
    'select state from label_purchases where order_id = $1 order by created_at limit 1',
    [id],
  )
  return rows[0]?.state === 'failed'
}

const until = async (look: () => Promise<boolean> | boolean) =>
  desk.later(async () => expect(await look()).toBe(true))

test('two boxes: the address verified once, the account’s cheapest rate, alcohol, adult signature, ounces and insurance', async () => {
  const order = await accepted()
  const { status, body } = await buy(order.id, [{ weight: 4.5, insurance: 249.99 }, { weight: 2.03 }])
  expect([status, body.order.status, body.order.tracking_provider]).toEqual([200, 'MERCHANT_SHIPPED', 'UPS'])
  expect(body.order.tracking_url).toContain('https://www.ups.com/track?tracknum=1Z999AA1')
  const asked = easyPost.requests.map(({ method, path }) => `${method} ${path.replace(/shp_\w+/, 'shp')}`)
  expect(asked).toEqual([
    'POST /addresses',
    'POST /shipments',
    'POST /shipments',
    'POST /shipments/shp/buy',
    'GET /labels/shp.pdf',
    'POST /shipments/shp/buy',
    'GET /labels/shp.pdf',
  ])
  const [, first, second] = easyPost.requests
  expect(first?.json).toMatchObject({
    shipment: {
      reference: expect.stringMatching(new RegExp(`^${order.id}:[0-9a-f-]{36}:1$`)),
      carrier_accounts: ['ca_ups'],
      parcel: { weight: 72 },
      to_address: { name: 'Dee Nakamura', street1: '118 Pearl St', zip: '10005', phone: '+12125550123' },
      options: {
        alcohol: true,
        delivery_confirmation: 'ADULT_SIGNATURE',
        label_format: 'PDF',
        label_size: '4x6',
      },
    },
  })
  expect(second?.json).toMatchObject({ shipment: { parcel: { weight: 32.5 } } })
  expect(soldFor(order.id).map(({ insurance }) => insurance)).toEqual(['249.99', null])
  // The label's file is fetched without our key.
  expect(easyPost.requests.at(-1)?.headers.authorization).toBeUndefined()
  const file = await fetch(new URL(body.data[0]?.label_url ?? '', desk.url))
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/pdf'])
})

test('pictures stay pictures, and on letter paper the label is in the middle', async () => {
  await connect({ carrier: 'UPS', account_number: 'X9Y8Z7' }, { label_format: 'PNG' })
  const png = await buy((await accepted()).id)
  const picture = await fetch(new URL(png.body.data[0]?.label_url ?? '', desk.url))
  expect(picture.headers.get('content-type')).toBe('image/png')
  await connect({ carrier: 'UPS', account_number: 'X9Y8Z7' }, { label_size: '8.5x11' })
  const letter = await buy((await accepted()).id)
  const { PDFDocument } = await import('@cantoo/pdf-lib')
  const page = (
    await PDFDocument.load(
      await (await fetch(new URL(letter.body.data[0]?.label_url ?? '', desk.url))).arrayBuffer(),
    )
  ).getPage(0)
  expect([page.getWidth(), page.getHeight()]).toEqual([612, 792])
  await connect({ carrier: 'UPS', account_number: 'X9Y8Z7' })
})

test('ZPL is requested as such, several boxes follow each other in one file, and a later change of format loses none', async () => {
  await connect({ carrier: 'UPS', account_number: 'X9Y8Z7' }, { label_format: 'ZPL' })
  const order = await accepted()
  const { body } = await buy(order.id, [{ weight: 1 }, { weight: 2 }])
  const [first] = body.data
  expect(first?.media_type).toBe('application/zpl')
  expect(easyPost.requests.find(({ path }) => path === '/shipments')?.json).toMatchObject({
    shipment: { options: { label_format: 'ZPL', label_size: '4x6' } },
  })
  const file = await fetch(new URL(first?.print_url ?? '', desk.url))
  expect([file.status, file.headers.get('content-type'), file.headers.get('content-disposition')]).toEqual([
    200,
    'application/zpl',
    'attachment; filename="label-0.zpl"',
  ])
  expect(await file.text()).toMatch(/^\^XA.+shp_\w+\.zpl.+\^XZ\n\^XA.+shp_\w+\.zpl.+\^XZ\n$/)

  // Bought as ZPL; when the settler finds it, the shop wants PDF.
  easyPost.fail(/buy$/, 'drop', 'after')
  for (let times = 0; times < 2; times++) easyPost.fail(/GET \/shipments/, wrong(404, {}))
  const late = await accepted()
  expect((await buy(late.id)).status).toBe(502)
  await connect({ carrier: 'UPS', account_number: 'X9Y8Z7' })
  easyPost.fail(/\/label$/, wrong(422, { code: 'SHIPMENT.LABEL.CONVERT', message: 'Only PNG' }))
  await hurry(late.id)
  await until(async () => (await read(late.id)).status === 'MERCHANT_SHIPPED')
  const found = await desk.call('GET /m/v2/merchant/{tmk}/orders/{id}/shipping_labels', {
    as: shop.member,
    params: { tmk: shop.key, id: late.id },
  })
  expect(found.body[0]?.media_type).toBe('application/zpl')
})

test.each([
  ['user_locked_out', '250007: The UserId is currently locked out; please try again in 24 hours.'],
  ['account_unauthorized', 'Account not allowed for this service.'],
  ['account_unauthorized', 'ACCOUNT.NUMBER.MISMATCH'],
  ['account_unauthorized', 'Invalid Authentication Information. (250003)'],
  ['po_box', 'We cannot deliver to a P.O. Box.'],
  ['missing_phone', '120213: Missing/Illegal ShipTo PhoneNumber'],
  ['invalid_street', '120202: Missing or invalid ship to address line 1'],
  ['carrier_not_responding', '190001: the system is temporarily unavailable'],
  ['rates_failed', 'Something nobody has heard of'],
])('rates that fail with %s: %s', async (code, message) => {
  easyPost.rateMessages = [{ carrier: 'UPS', message }]
  const order = await accepted()
  const { refusal } = await buy(order.id)
  expect([refusal.code, refusal.errors]).toEqual([code, [{ message, carrier: 'UPS' }]])
  expect(soldFor(order.id)).toEqual([])
})

test.each([
  [
    'after ten others',
    [...Array.from({ length: 12 }, () => 'No such service'), 'UPS cannot ship to a P.O. Box'],
  ],
  ['at the end of a long text', [`${'No such service. '.repeat(30)}UPS cannot ship to a P.O. Box`]],
])('the reason that counts is found %s', async (_where, messages) => {
  easyPost.rateMessages = messages.map((message) => ({ carrier: 'UPS', message }))
  const { refusal } = await buy((await accepted()).id)
  expect(refusal.code).toBe('po_box')
})

const wrong = (status: number, error: object) => ({ status, json: { error } })

test('each class of EasyPost’s errors, at the address, the rates and the purchase', async () => {
  easyPost.rateMessages = []
  expect((await buy((await accepted()).id)).refusal.code).toBe('rates_unavailable')
  easyPost.rateMessages = undefined
  const nowhere = await accepted({ recipient: { ...anOrder('x').recipient, street_1: '0 Nowhere Street' } })
  expect((await buy(nowhere.id)).refusal.code).toBe('invalid_street')
  for (const [path, answer, code] of [
    [
      /POST \/addresses/,
      wrong(422, { code: 'ADDRESS.VERIFY.FAILURE', message: 'x', errors: [] }),
      'invalid_street',
    ],
    [
      /POST \/shipments$/,
      wrong(503, { code: 'SHIPMENT.RATES.UNAVAILABLE', message: 'x' }),
      'rates_unavailable',
    ],
    [/POST \/shipments$/, wrong(403, { code: 'FORBIDDEN', message: 'no' }), 'account_unauthorized'],
    [
      /POST \/shipments$/,
      wrong(422, {
        code: 'PARAMETER.REQUIRED',
        message: 'x',
        errors: [{ field: 'to_address.phone', message: 'required' }],
      }),
      'missing_phone',
    ],
    [
      /buy$/,
      wrong(422, { code: 'CARRIER_ACCOUNT.INVALID', message: { carrier: ['no'] } }),
      'account_unauthorized',
    ],
    [/buy$/, wrong(422, { code: 'SHIPMENT.NEW', message: ['Too heavy', 'for a van'] }), 'label_refused'],
  ] as const) {
    easyPost.fail(path, answer)
    const order = await accepted()
    const { refusal } = await buy(order.id)
    expect([String(path), refusal.code]).toEqual([String(path), code])
    if (code === 'label_refused') expect(refusal.message).toBe('Too heavy')
    expect(soldFor(order.id)).toEqual([])
    expect((await read(order.id)).status).toBe('MERCHANT_ACCEPTED')
  }
})

test('when a box is refused after another was bought, the bought one is returned', async () => {
  const order = await accepted()
  easyPost.fail(/buy$/, { status: 200, text: '' }, 'after')
  const { refusal } = await buy(order.id, [{ weight: 1 }, { weight: 0.001 + 1 }])
  // The search after the first purchase's empty answer finds its label; the second purchase then succeeds.
  expect(refusal?.code).toBeUndefined()
  const other = await accepted()
  const seen = easyPost.shipments.size
  easyPost.fail(/shipments\/shp_\w+\/buy$/, wrong(422, { code: 'SHIPMENT.NEW', message: 'Refused' }))
  const failed = await buy(other.id, [{ weight: 1 }, { weight: 1 }])
  expect(failed.refusal.code).toBe('label_refused')
  expect(easyPost.shipments.size).toBe(seen + 2)
  await until(() => soldFor(other.id).every(({ refund_status }) => refund_status !== null))
})

test('a failure after the purchase: bought once, found at once, and the order ships', async () => {
  for (const answer of [
    'drop',
    { status: 502, text: '<html>Bad gateway</html>' },
    { text: '{"half":' },
    wrong(422, { code: 'SHIPMENT.POSTAGE.NO_RESPONSE', message: 'x' }),
    wrong(422, { code: 'SHIPMENT.POSTAGE.EXISTS', message: 'x' }),
  ] as const) {
    easyPost.fail(/buy$/, answer, 'after')
    const order = await accepted()
    const { status, body } = await buy(order.id)
    expect([status, body.order?.status]).toEqual([200, 'MERCHANT_SHIPPED'])
    expect(soldFor(order.id)).toHaveLength(1)
  }
})

test('a failure before the purchase: in doubt, never bought again, and free for another try once that is certain', async () => {
  easyPost.fail(/buy$/, 'drop')
  const order = await accepted()
  const { status, refusal } = await buy(order.id)
  expect([status, refusal.code]).toEqual([502, 'carrier_not_responding'])
  expect((await buy(order.id)).refusal.code).toBe('labels_in_doubt')
  await desk.owner.query(
    `update shipping_labels set buying_since = now() - interval '10 minutes' where order_id = $1`,
    [order.id],
  )
  await hurry(order.id)
  await until(() => isGivenUp(order.id))
  expect(soldFor(order.id)).toEqual([])
  expect((await buy(order.id)).status).toBe(200)
  expect(soldFor(order.id)).toHaveLength(1)
})

test('GAP-123 a purchase given up for taking too long buys nothing more, so that the next one buys once', async () => {
  const order = await accepted()
  easyPost.delay(/POST \/shipments$/, async () => {
    await hurry(order.id)
    await until(() => isGivenUp(order.id))
  })
  const late = await buy(order.id, [{ weight: 1 }, { weight: 2 }])
  expect([late.status, late.refusal.code]).toEqual([409, 'labels_in_doubt'])
  expect(soldFor(order.id)).toEqual([])
  expect((await buy(order.id)).status).toBe(200)
  expect(soldFor(order.id)).toHaveLength(1)
})

test('GAP-123 a purchase that another process has taken over buys nothing more in the first', async () => {
  const order = await accepted()
  easyPost.delay(/POST \/shipments$/, async () => {
    await desk.owner.query(
      `update label_purchases set attempt = attempt + 1, lease_until = now() + interval '1 hour' where order_id = $1`,
      [order.id],
    )
  })
  expect((await buy(order.id)).refusal.code).toBe('labels_in_doubt')
  expect(soldFor(order.id)).toEqual([])
})

test('GAP-123 a label that comes after its purchase was given up is returned, and its other box is not bought', async () => {
  const order = await accepted()
  easyPost.delay(/buy$/, async () => {
    await desk.owner.query(
      `update shipping_labels set buying_since = now() - interval '10 minutes' where order_id = $1 and state = 'buying'`,
      [order.id],
    )
    await hurry(order.id)
    await until(() => isGivenUp(order.id))
  })
  const late = await buy(order.id, [{ weight: 1 }, { weight: 2 }])
  expect([late.status, late.refusal.code]).toEqual([409, 'labels_in_doubt'])
  expect(soldFor(order.id)).toHaveLength(1)
  await until(() => soldFor(order.id)[0]?.refund_status === 'submitted')
})

test('a slow provider’s purchase is not given up while its process lives', async () => {
  const order = await accepted()
  const held = async () => {
    const { rows } = await desk.owner.query<{ attempt: number; until: number }>(
      `select attempt, extract(epoch from lease_until)::float8 as until from label_purchases
       where order_id = $1 order by attempt desc`,
      [order.id],
    )
    return rows[0]
  }
  easyPost.delay(/buy$/, async () => {
    const first = await held()
    // In its own time: the database's, turned forward, would end it before its next sign of life.
    await expect.poll(async () => (await held())?.until).toBeGreaterThan(first?.until ?? Infinity)
    expect((await held())?.attempt).toBe(1)
  })
  expect((await buy(order.id, [{ weight: 1 }, { weight: 2 }])).status).toBe(200)
  expect(soldFor(order.id)).toHaveLength(2)
})

test('a full queue is waited for, even by a purchase; a refused key is reported to the owners', async () => {
  easyPost.fail(/buy$/, { status: 429, headers: { 'retry-after': '1' } })
  const order = await accepted()
  expect((await buy(order.id)).status).toBe(200)
  expect(soldFor(order.id)).toHaveLength(1)
})

test('labels are voided once, and an account unknown to the carrier is refused', async () => {
  const order = await accepted()
  await buy(order.id)
  easyPost.fail(/refund$/, 'drop', 'after')
  const voiding = await desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/shipping_labels/void', {
    as: shop.member,
    params: { tmk: shop.key, id: order.id },
  })
  expect([voiding.status, voiding.refusal.code]).toEqual([502, 'label_provider_failed'])
  await hurry(order.id)
  await until(async () => (await read(order.id)).status === 'MERCHANT_ACCEPTED')
  expect(soldFor(order.id)[0]?.refund_status).toBe('submitted')

  const store = await desk.openShop()
  expect((await connect({ carrier: 'GSO', account_number: 'BAD1' }, { at: store })).refusal.code).toBe(
    'account_unauthorized',
  )
  expect((await connect({ carrier: 'GSO', account_number: '5100 8743' }, { at: store })).status).toBe(200)
  const made = easyPost.accounts.at(-1)
  expect(made).toMatchObject({ path: '/carrier_accounts', reference: '51008743', type: 'GsoAccount' })
  const gone = await desk.call('DELETE /c/v2/merchants/{tmk}/carrier_integration', {
    as: store.manager,
    params: { tmk: store.key },
  })
  expect(gone.status).toBe(200)
  expect(easyPost.accounts).not.toContain(made)
})

test('EasyPost’s signed events move the order: repeated, out of sequence, with wrong and replayed signatures', async () => {
  const order = await accepted()
  const { body } = await buy(order.id)
  const code = body.data[0]?.tracking_code ?? ''
  const send = (text: string, signature: string) =>
    desk.send('POST', '/providers/v1/shipping/events', {
      body: text,
      headers: { 'x-hmac-signature': signature },
    })
  const event = (id: string, status: string) =>
    JSON.stringify({
      id,
      description: 'tracker.updated',
      result: { tracking_code: code, status, weight: 12 },
    })
  const transit = event('evt_1', 'in_transit')
  expect((await send(transit, signEvent(webhookSecret, transit))).status).toBe(200)
  const delivered = event('evt_2', 'delivered')
  expect((await send(delivered, signEvent('another secret', delivered))).status).toBe(403)
  // An old signature with another body.
  expect((await send(delivered, signEvent(webhookSecret, transit))).status).toBe(403)
  expect((await read(order.id)).status).toBe('MERCHANT_SHIPPED')
  expect((await send(delivered, signEvent(webhookSecret, delivered))).status).toBe(200)
  expect((await send(transit, signEvent(webhookSecret, transit))).status).toBe(200)
  const closed = await read(order.id)
  expect([closed.status, closed.history.filter(({ party }) => party === 'carrier').length]).toEqual([
    'CLOSED',
    2,
  ])
})

test('the operator and the owner can see whether it answers, and its last failure', async () => {
  const { checkProviders } = await import('../../../check-providers.ts')
  const well = await checkProviders(desk.app.db, desk.config)
  expect(well.lines[0]).toBe('Shipping labels: EasyPost answers.')
  expect(well.lines.join('\n')).toMatch(/EasyPost: last answered 20/)
  const params = { tmk: shop.key }
  const line = 'GET /c/v2/merchants/{tmk}/outside_services'
  const seen = await desk.call(line, { as: shop.owner, params })
  expect(seen.body.services[0]).toMatchObject({ use: 'labels', provider: 'EasyPost', failures_in_a_row: 0 })
  expect((await desk.call(line, { as: shop.manager, params })).status).toBe(403)
})

test('an outage is reported in words, and the logs are true', async () => {
  await easyPost.stop()
  const order = await accepted()
  const { status, refusal } = await buy(order.id)
  expect([status, refusal.code]).toEqual([502, 'carrier_not_responding'])
  expect((await read(order.id)).status).toBe('MERCHANT_ACCEPTED')
  const { rows } = await desk.owner.query(
    `select last_failure_kind from provider_health where provider = 'EasyPost'`,
  )
  expect(rows[0]?.last_failure_kind).toBe('refused_connection')
  const { checkProviders } = await import('../../../check-providers.ts')
  const { isWell, lines } = await checkProviders(desk.app.db, desk.config)
  expect([isWell, lines[0]]).toEqual([
    false,
    'Shipping labels: EasyPost does not answer as it should: no connection. EasyPost cannot be reached. Nothing was done. Please try again in a few minutes.',
  ])
})
