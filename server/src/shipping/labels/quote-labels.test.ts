import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectCarrier } from '../../../test/providers/carrier-account.ts'
import { openDesk, type Desk, type Shop } from '../../../test/desk.ts'
import { orderIn } from '../../../test/order-steps.ts'
import { anOrder } from '../../../test/orders.ts'

let desk: Desk
let shop: Shop
beforeAll(async () => {
  desk = await openDesk({ SANDBOX_STEP_SECONDS: '86400' })
  shop = await desk.openShop()
  await connectCarrier(desk, shop)
})
afterAll(async () => desk.stop())

const accepted = (street_1 = '1 Main Street', of = shop, below: object = {}) =>
  orderIn(desk, of, {
    status: 'MERCHANT_ACCEPTED',
    recipient: { ...anOrder('x').recipient, street_1, phone_number: '+12125550123', ...below },
  })
const params = (id: string) => ({ tmk: shop.key, id })
const quote = (id: string, weights: readonly number[]) =>
  desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/shipping_labels/quote', {
    as: shop.member,
    params: params(id),
    body: { boxes: weights.map((weight) => ({ weight })) },
  })
const buy = (id: string) =>
  desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/shipping_labels', {
    as: shop.member,
    params: params(id),
    body: { order_id: id, boxes: [{ weight: 4 }] },
  })
const read = async (id: string) =>
  (await desk.call('GET /m/v2/orders/{id}', { as: shop.member, params: { id } })).body

test('price and service of each box are known before money is spent, and asking changes nothing', async () => {
  const order = await accepted()
  const { status, body } = await quote(order.id, [2, 20])
  expect(status).toBe(200)
  expect(body.refusal).toBeNull()
  expect(body.boxes.map(({ carrier, service }) => [carrier, service])).toEqual([
    ['UPS', 'Ground'],
    ['UPS', 'Ground'],
  ])
  const [light, heavy] = body.boxes.map(({ price_cents }) => price_cents)
  expect(light).toBeGreaterThan(0)
  expect(heavy).toBeGreaterThan(light ?? 0)
  expect((await read(order.id)).version).toBe(order.version)
  const { rows } = await desk.owner.query('select 1 from label_purchases where order_id = $1', [order.id])
  expect(rows).toEqual([])
})

test('without boxes, the price is that of the one box that a purchase of many orders buys', async () => {
  const ofSelection = (id: string) =>
    desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/shipping_labels/quote', {
      as: shop.member,
      params: params(id),
      body: {},
    })
  const weighed = await orderIn(desk, shop, { status: 'MERCHANT_ACCEPTED', order_weight: 12.5 })
  expect((await ofSelection(weighed.id)).body).toEqual((await quote(weighed.id, [12.5])).body)
  const unweighed = await orderIn(desk, shop, { status: 'MERCHANT_ACCEPTED', order_weight: null })
  const { status, refusal } = await ofSelection(unweighed.id)
  expect([status, refusal.message]).toEqual([400, expect.stringContaining('Its weight is not known')])
})

test('the labels of an order are bought as the shipment whose price was asked', async () => {
  const { id } = await accepted()
  await quote(id, [4])
  const parcels = async () => {
    const { rows } = await desk.owner.query<{ state: string }>(
      `select state from sandbox_parcels where label::json ->> 'orderNumber' = $1`,
      [id],
    )
    return rows.map(({ state }) => state)
  }
  expect(await parcels()).toEqual(['quoted'])
  await buy(id)
  expect(await parcels()).toEqual(['bought'])
})

test('why there is no price is an answer too; an order that cannot be shipped is refused', async () => {
  const refused = await quote((await accepted('404 No Rates Road')).id, [2])
  expect([refused.status, refused.body.boxes, refused.body.refusal?.code]).toEqual([
    200,
    [],
    'rates_unavailable',
  ])
  const box = await quote((await accepted('PO Box 1187')).id, [2])
  expect(box.body.refusal?.code).toBe('po_box')
  for (const below of [{ street_2: 'PO Box 1188' }, { street_3: 'PO Box 1188' }]) {
    const boxBelow = await quote((await accepted('1 Main Street', shop, below)).id, [2])
    expect([below, boxBelow.body.refusal?.code]).toEqual([below, 'po_box'])
  }
  const fresh = await quote((await desk.order(shop)).id, [2])
  expect([fresh.status, fresh.refusal.code]).toEqual([409, 'invalid_transition'])
  expect((await quote((await accepted()).id, [0])).status).toBe(400)
})

test('T33 a refused label stays in the history with its reason, and with the address corrected the next is bought', async () => {
  for (const [street, code] of [
    ['0 Nowhere Street', 'invalid_street'],
    ['PO Box 1187', 'po_box'],
  ] as const) {
    const order = await accepted(street)
    const refused = await buy(order.id)
    expect(refused.refusal.code).toBe(code)
    const [failed] = (await read(order.id)).history
    expect(failed).toMatchObject({
      action: 'label_failed',
      party: 'merchant',
      from: 'MERCHANT_ACCEPTED',
      to: 'MERCHANT_ACCEPTED',
      details: { code, reason: refused.refusal.message },
    })
    const corrected = await desk.call('PUT /m/v2/merchant/{tmk}/orders/{id}/recipient', {
      as: shop.member,
      params: params(order.id),
      body: {
        street_1: ' 7 Real Street ',
        street_2: '',
        city: 'Albany',
        state: 'NY',
        zipcode: '12207',
        phone_number: '+1 212 555 0124',
      },
    })
    expect(corrected.status).toBe(200)
    expect(corrected.body.recipient).toMatchObject({
      first_name: order.recipient.first_name,
      street_1: '7 Real Street',
      street_2: null,
      zipcode: '12207',
    })
    const [entry] = (await read(order.id)).history
    expect(entry).toMatchObject({ action: 'correct_address', party: 'merchant' })
    expect(String(entry?.details?.['was'])).toContain(street)
    expect(String(entry?.details?.['now'])).toContain('7 Real Street, Albany, NY 12207')
    const found = await desk.call('GET /m/v2/merchant/{tmk}/orders/optimize', {
      as: shop.member,
      params: { tmk: shop.key },
      query: { 'filter[search]': '2125550124' },
    })
    expect(found.body.items.map(({ id }) => id)).toContain(order.id)
    expect((await buy(order.id)).body.order.status).toBe('MERCHANT_SHIPPED')
  }
})

test('the clerk reads why the carrier refused, even when the history cannot be written at the moment', async () => {
  const { id } = await accepted('0 Nowhere Street')
  await desk.owner.query(
    `create function refuse_note() returns trigger language plpgsql as $$ begin raise 'no note now'; end $$`,
  )
  await desk.owner.query(
    `create trigger refuse_note before insert on order_history for each row
     when (new.action = 'label_failed') execute function refuse_note()`,
  )
  const refused = await buy(id)
  await desk.owner.query('drop trigger refuse_note on order_history')
  expect([refused.status, refused.refusal.code]).toEqual([422, 'invalid_street'])
  expect((await buy(id)).refusal.code).toBe('invalid_street')
  expect((await read(id)).history.map(({ action }) => action).slice(0, 2)).toEqual(['label_failed', 'accept'])
})

test('the price that was paid for the labels is in the history with the purchase', async () => {
  const { id } = await accepted()
  const { body } = await quote(id, [2, 20])
  const cents = body.boxes.reduce((sum, { price_cents }) => sum + price_cents, 0)
  const bought = await desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/shipping_labels', {
    as: shop.member,
    params: params(id),
    body: { order_id: id, boxes: [{ weight: 2 }, { weight: 20 }] },
  })
  expect(bought.status).toBe(200)
  expect((await read(id)).history[0]).toMatchObject({
    action: 'buy_labels',
    details: { price: `$${(cents / 100).toFixed(2)}` },
  })
})

test('T33 a phone number that is none is refused at its field, and a shipped order keeps its address', async () => {
  const order = await accepted()
  const correct = (phone_number: string) =>
    desk.call('PUT /m/v2/merchant/{tmk}/orders/{id}/recipient', {
      as: shop.member,
      params: params(order.id),
      body: { street_1: '7 Real Street', city: 'Albany', state: 'NY', zipcode: '12207', phone_number },
    })
  const refused = await correct('12345')
  expect([refused.status, Object.keys(refused.refusal.errors)]).toEqual([400, ['phone_number']])
  await buy(order.id)
  expect((await correct('2125550123')).refusal.code).toBe('invalid_transition')
})

test('T33 a street is corrected though the phone number that came with the order is none of ours', async () => {
  const came = '+44 20 7946 0958'
  const order = await orderIn(desk, shop, {
    status: 'MERCHANT_ACCEPTED',
    recipient: { ...anOrder('x').recipient, phone_number: came },
  })
  const correct = (phone_number: string) =>
    desk.call('PUT /m/v2/merchant/{tmk}/orders/{id}/recipient', {
      as: shop.member,
      params: params(order.id),
      body: { street_1: '7 Real Street', city: 'Albany', state: 'NY', zipcode: '12207', phone_number },
    })
  expect((await correct('+44 20 7946 0959')).status).toBe(400)
  const { status, body } = await correct(` ${came} `)
  expect([status, body.recipient.street_1, body.recipient.phone_number]).toEqual([200, '7 Real Street', came])
})

test('one shop cannot use up the carrier account that all shops share', async () => {
  const [busy, calm] = [await desk.openShop(), await desk.openShop()]
  for (const each of [busy, calm]) await connectCarrier(desk, each)
  const orders = new Map([
    [busy, await accepted('1 Main Street', busy)],
    [calm, await accepted('1 Main Street', calm)],
  ])
  const asked = async (of: Shop, boxes: number) => {
    const id = orders.get(of)?.id ?? ''
    return desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/shipping_labels/quote', {
      as: of.member,
      params: { tmk: of.key, id },
      body: { boxes: Array.from({ length: boxes }, () => ({ weight: 4 })) },
    })
  }
  // A slow machine must not reach the end of the minute for which questions are counted.
  const endsIn = (seconds: number) =>
    desk.owner.query(
      `update rate_limits set resets_at = now() + make_interval(secs => $1) where limit_key like 'provider:%'`,
      [seconds],
    )
  const { rows: far } = await desk.owner.query(
    `select from rate_limits where limit_key like 'provider:%' and resets_at > now() + interval '1 minute'`,
  )
  expect(far).toEqual([])
  await endsIn(3_600)
  // With the connection of the carrier, these are 120 questions.
  const answers = [
    ...(await Promise.all(Array.from({ length: 39 }, () => asked(busy, 3)))),
    await asked(busy, 2),
  ]
  expect(answers.filter(({ status }) => status !== 200)).toEqual([])
  await endsIn(60)
  const refused = await asked(busy, 1)
  expect([refused.status, refused.refusal.code]).toEqual([429, 'too_many_requests'])
  const seconds = Number(refused.headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(60)
  expect((await asked(calm, 1)).status).toBe(200)
})
