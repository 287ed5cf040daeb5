import { labelErrors } from '@cellarhand/contract/label-errors'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectCarrier } from '../../../test/providers/carrier-account.ts'
import { marketplaceCredential, openTurnableDesk, type Shop, type TurnableDesk } from '../../../test/desk.ts'
import { replyOfLostPurchase } from '../../../test/lost-answers.ts'
import { orderIn } from '../../../test/order-steps.ts'
import { readBars, readPdf } from '../../../test/papers/pdf-text.ts'
import { scan, scanPicture } from '../../../test/papers/read-barcode.ts'
import { anOrder } from '../../../test/orders.ts'
import { lateAnswerStreet, noPaperStreet, sentinelAddresses } from '../port/sentinel-addresses.ts'

let desk: TurnableDesk
let shop: Shop
beforeAll(async () => {
  // The clock stops for the test; otherwise parcels would move meanwhile.
  desk = await openTurnableDesk({ SANDBOX_STEP_SECONDS: '86400' })
  shop = await desk.openShop()
  await connectCarrier(desk, shop)
})
afterAll(async () => desk.stop())

const accepted = (changes: object = {}) => orderIn(desk, shop, { status: 'MERCHANT_ACCEPTED', ...changes })
const to = (street_1: string, phone_number: string | null = '+12125550123') => ({
  recipient: { ...anOrder('x').recipient, street_1, phone_number },
})

interface Ask {
  as?: Shop['member']
  boxes?: { weight?: number | null; insurance?: number | null }[]
  key?: string
}

function buy(id: string, { as = shop.member, boxes = [{ weight: 4.5 }], key }: Ask = {}) {
  return desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/shipping_labels', {
    as,
    params: { tmk: shop.key, id },
    body: { order_id: id, boxes },
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
  })
}
const labelsOf = (id: string, as = shop.member) =>
  desk.call('GET /m/v2/merchant/{tmk}/orders/{id}/shipping_labels', { as, params: { tmk: shop.key, id } })
const read = async (id: string) =>
  (await desk.call('GET /m/v2/orders/{id}', { as: shop.member, params: { id } })).body

async function until<T>(look: () => Promise<T>, isDone: (found: T) => boolean): Promise<T> {
  return desk.later(async () => {
    const found = await look()
    expect(isDone(found)).toBe(true)
    return found
  })
}

test('T14 SHIP-009 API-039 API-040 API-041 ENT-022 ENT-044 one label per box: bought, listed, opened, and the order is shipped', async () => {
  const order = await accepted()
  const { status, body } = await buy(order.id, {
    boxes: [{ weight: 3.25, insurance: 120.5 }, { weight: 3.25 }],
  })
  expect(status).toBe(200)
  expect(body.status).toBe(200)
  expect(body.data.map(({ carrier, box, bought_by }) => [carrier, box, bought_by])).toEqual([
    ['UPS', 1, body.data[0]?.bought_by],
    ['UPS', 2, body.data[0]?.bought_by],
  ])
  const [first, second] = body.data
  expect(first?.tracking_code).toMatch(/^1Z/)
  expect(first?.tracking_code).not.toBe(second?.tracking_code)
  expect(body.order).toMatchObject({
    status: 'MERCHANT_SHIPPED',
    tracking_provider: 'UPS',
    tracking_id: first?.tracking_code,
    tracking_url: `https://www.ups.com/track?tracknum=${first?.tracking_code}`,
    order_weight: order.order_weight,
    version: order.version + 1,
  })
  expect(body.order.shipment_info.map(({ tracking_code }) => tracking_code)).toEqual([
    first?.tracking_code,
    second?.tracking_code,
  ])
  const { rows } = await desk.owner.query(
    'select weight::float8, insurance::float8 from shipping_labels order by box',
  )
  expect(rows).toEqual([
    { weight: 3.25, insurance: 120.5 },
    { weight: 3.25, insurance: 0 },
  ])
  expect((await labelsOf(order.id)).body).toEqual(body.data)
  const file = await fetch(new URL(first?.label_url ?? '', desk.url))
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  expect(
    Buffer.from(await file.arrayBuffer())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-')
  const whole = await fetch(new URL(first?.print_url ?? '', desk.url))
  const { PDFDocument } = await import('@cantoo/pdf-lib')
  expect((await PDFDocument.load(await whole.arrayBuffer())).getPageCount()).toBe(2)
  const [entry] = (await read(order.id)).history
  expect(entry).toMatchObject({
    action: 'buy_labels',
    party: 'merchant',
    details: { boxes: 2, carrier: 'UPS' },
  })
})

test('GEN-005 GEN-017 each bought label names the shop as its sender, and has the recipient, its own box, weight and number', async () => {
  const order = await accepted({
    recipient: { ...anOrder('x').recipient, street_2: 'Apt 4', phone_number: '+14155550177' },
  })
  const weights = [3.25, 4]
  const { body } = await buy(order.id, { boxes: weights.map((weight) => ({ weight })) })
  expect(body.data).toHaveLength(2)
  for (const [index, { label_url, tracking_code }] of body.data.entries()) {
    const file = await fetch(new URL(label_url ?? '', desk.url))
    const bytes = new Uint8Array(await file.arrayBuffer())
    const { texts } = await readPdf(bytes)
    const top = texts.find(({ text }) => text === 'SHIP TO')?.y ?? 0
    const between = (above: number, below: number) =>
      texts.filter(({ y, text }) => y > above && y < below && text !== 'SHIP TO').map(({ text }) => text)
    expect(between(60, top)).toEqual([
      `Shop ${shop.key}`,
      '1 Pier',
      'New York, NY 10001',
      '+12125550123',
      expect.stringMatching(/^[A-Z]{3} \d\d, \d{4}$/),
      `${weights[index]} lb`,
      `Box ${index + 1} of 2`,
      `Order #${order.id}`,
    ])
    expect(between(top, 246)).toEqual([
      'Dee Nakamura',
      '118 Pearl St',
      'Apt 4',
      'New York, NY 10005',
      '+14155550177',
    ])
    expect(await scan((await readBars(bytes))[0] ?? [])).toEqual([{ format: 'Code128', text: tracking_code }])
  }
})

test('SHIP-011 a label whose file never came is listed without an address', async () => {
  const order = await accepted(to(noPaperStreet))
  const { body } = await buy(order.id)
  expect(body.data.map(({ label_url, print_url }) => [label_url, print_url])).toEqual([[null, null]])
  expect(body.order.status).toBe('MERCHANT_SHIPPED')
})

test('an order without labels has an empty list; another merchant sees neither list nor file', async () => {
  const order = await accepted()
  expect((await labelsOf(order.id)).body).toEqual([])
  const other = await desk.openShop()
  const { body } = await buy(order.id)
  const url = new URL(body.data[0]?.label_url ?? '', desk.url)
  const foreign = await desk.call('GET /m/v2/merchant/{tmk}/orders/{id}/shipping_labels', {
    as: other.owner,
    params: { tmk: other.key, id: order.id },
  })
  expect(foreign.status).toBe(404)
  for (const spoil of [
    (bad: URL) => bad.searchParams.set('signature', 'x'),
    (bad: URL) => bad.searchParams.set('expires', '9999999999'),
    (bad: URL) => (bad.pathname = bad.pathname.replace(shop.key, other.key)),
    (bad: URL) => (bad.pathname = bad.pathname.replace(/-1$/, '-2')),
  ]) {
    const bad = new URL(url)
    spoil(bad)
    expect((await fetch(bad)).status).toBe(403)
  }
})

test('VALID-014 VALID-015 VALID-016 VALID-018 VALID-019 VALID-020 GAP-125 GAP-128 bad boxes are refused at their field, in the rule’s words', async () => {
  const order = await accepted()
  const { status, refusal } = await buy(order.id, {
    boxes: [{ weight: null }, { weight: 0, insurance: -1 }, { weight: 1_000_000, insurance: 5000 }],
  })
  expect([status, refusal.errors]).toEqual([
    400,
    {
      'boxes.0.weight': 'Please enter the weight.',
      'boxes.1.weight': 'Min value is 0.01',
      'boxes.1.insurance': 'Min value is 0.',
      'boxes.2.weight': 'Max value is 999999',
      'boxes.2.insurance': 'Max value is 4999.99',
    },
  ])
  const unread = await desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/shipping_labels', {
    as: shop.member,
    params: { tmk: shop.key, id: order.id },
    body: { order_id: order.id, boxes: [{}, { weight: '2', insurance: 'much' }] },
  })
  expect([unread.status, unread.refusal.errors]).toEqual([
    400,
    { 'boxes.1.weight': 'Only numbers are accepted.', 'boxes.1.insurance': 'Only numbers are accepted.' },
  ])
  expect((await buy(order.id, { boxes: [{}] })).refusal.errors).toEqual({
    'boxes.0.weight': 'Please enter the weight.',
  })
  const many = await buy(order.id, { boxes: Array(4).fill({ weight: 1 }) })
  expect(many.refusal.errors).toEqual({ boxes: 'This order fits into at most 3 boxes' })
})

test('GAP-123 two presses buy once: with the same key, without a key, and by two clerks at the same time', async () => {
  const order = await accepted()
  const answers = await Promise.all([
    buy(order.id, { key: 'k-1' }),
    buy(order.id, { key: 'k-1' }),
    buy(order.id),
    buy(order.id, { as: shop.manager }),
  ])
  const [first, again, ...others] = answers.map(({ status }) => status)
  // A repeat that comes after the answer gets that answer again.
  const isRepeated = first === 200 && again === 200
  expect([first, isRepeated ? 409 : again, ...others].toSorted()).toEqual([200, 409, 409, 409])
  expect(isRepeated ? answers[1]?.body : undefined).toEqual(isRepeated ? answers[0]?.body : undefined)
  const { rows } = await desk.owner.query('select 1 from shipping_labels where order_id = $1', [order.id])
  expect(rows).toHaveLength(1)
  const winner = answers.find(({ status }) => status === 200)
  const late = await buy(order.id, { as: shop.manager })
  expect(late.status).toBe(409)
  expect(late.refusal['latest']).toMatchObject({
    action: 'buy_labels',
    actor: winner?.body.data[0]?.bought_by,
  })
})

test('GAP-123 the same key gets the first result again, and refuses another body', async () => {
  const order = await accepted()
  const first = await buy(order.id, { key: 'k-2' })
  // The links of labels change with the hour, and the order with its tracking.
  await desk.turn(3_600_000)
  const disputed = await desk.call('POST /marketplace/v1/orders/{id}/status', {
    as: marketplaceCredential,
    params: { id: order.id },
    body: { status: 'DISPUTED' },
  })
  expect(disputed.status).toBe(200)
  const again = await buy(order.id, { key: 'k-2' })
  expect([again.status, again.text]).toEqual([200, first.text])
  const changed = await buy(order.id, { key: 'k-2', boxes: [{ weight: 9 }] })
  expect([changed.status, changed.refusal.code]).toEqual([422, 'idempotency_key_reused'])
})

test('GAP-123 a request repeated after its labels were voided buys no new ones', async () => {
  const order = await accepted()
  expect((await buy(order.id, { key: 'k-3' })).status).toBe(200)
  const voided = await desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/shipping_labels/void', {
    as: shop.member,
    params: { tmk: shop.key, id: order.id },
  })
  expect(voided.status).toBe(200)
  const late = await buy(order.id, { key: 'k-3' })
  expect([late.status, late.refusal.message]).toEqual([422, expect.stringContaining('have been voided')])
  expect([(await read(order.id)).status, (await labelsOf(order.id)).body]).toEqual(['MERCHANT_ACCEPTED', []])
  expect((await buy(order.id, { key: 'k-4' })).status).toBe(200)
})

const codes = sentinelAddresses.filter(({ code }) => !['answer_lost', 'no_file'].includes(code))

test.each(codes)(
  'API-041 GAP-117 GAP-118 the address of $code is refused with its code and words, nothing is bought, and another try is possible',
  async ({ code, place, phone }) => {
    const order = await accepted(to(place.street_1, phone === null ? null : undefined))
    const { status, refusal } = await buy(order.id)
    const isKnown = code in labelErrors
    expect(refusal.code).toBe(isKnown ? code : 'label_refused')
    expect(refusal['status']).toBe(status)
    expect(status).toBe(/carrier_not|rates/.test(code) ? 502 : 422)
    expect(refusal.message).toBe(
      isKnown
        ? labelErrors[code as keyof typeof labelErrors]
        : 'UPS: The package exceeds the weight limit of 150 lbs.',
    )
    if (!isKnown)
      expect(refusal.errors).toEqual([
        { carrier: 'UPS', message: 'The package exceeds the weight limit of 150 lbs.' },
      ])
    expect((await read(order.id)).status).toBe('MERCHANT_ACCEPTED')
    expect((await labelsOf(order.id)).body).toEqual([])
    expect((await buy(order.id)).refusal.code).toBe(refusal.code)
  },
)

test('a purchase with a lost answer is never repeated: the order ships once the label is found', async () => {
  const order = await accepted(to(lateAnswerStreet))
  const { status, refusal } = await replyOfLostPurchase(desk, order.id, buy(order.id))
  expect([status, refusal.code]).toEqual([502, 'carrier_not_responding'])
  const again = await buy(order.id)
  expect([again.status, again.refusal.code]).toEqual([409, 'labels_in_doubt'])
  // A clerk would wait for the pause before the next look; the test does not.
  await desk.owner.query(
    `update label_purchases set lease_until = now() + interval '3 seconds' where order_id = $1`,
    [order.id],
  )
  const shipped = await until(
    () => read(order.id),
    (found) => found.status === 'MERCHANT_SHIPPED',
  )
  expect(shipped).toMatchObject({ status: 'MERCHANT_SHIPPED', tracking_provider: 'UPS' })
  expect(shipped.history[0]).toMatchObject({ action: 'buy_labels', party: 'merchant' })
  expect((await labelsOf(order.id)).body).toHaveLength(1)
  const { rows } = await desk.owner.query(
    `select count(*)::int as n from sandbox_parcels where state = 'bought' and label->>'orderNumber' = $1`,
    [order.id],
  )
  expect(rows[0]?.n).toBe(1)
})

test('after a process died between buying and storing, nothing is lost and nothing is bought twice', async () => {
  const order = await accepted()
  await buy(order.id)
  // The rows when the process ended: the label is bought outside, and nothing is known here.
  await desk.owner.query(
    `update label_purchases set state = 'running', lease_until = now() - interval '1 second' where order_id = $1`,
    [order.id],
  )
  await desk.owner.query(
    `update shipping_labels set state = 'buying', tracking_code = null, carrier = null where order_id = $1`,
    [order.id],
  )
  await desk.owner.query(
    `update orders set status = 'MERCHANT_ACCEPTED', document = jsonb_set(document::jsonb, '{status}', '"MERCHANT_ACCEPTED"')::json where order_id = $1`,
    [order.id],
  )
  const shipped = await until(
    () => read(order.id),
    (found) => found.status === 'MERCHANT_SHIPPED',
  )
  expect(shipped.status).toBe('MERCHANT_SHIPPED')
  expect((await labelsOf(order.id)).body).toHaveLength(1)
})

test('an order cancelled while its label is in doubt stays cancelled, and the label is returned', async () => {
  const order = await accepted(to(lateAnswerStreet))
  await replyOfLostPurchase(desk, order.id, buy(order.id))
  const cancelled = await desk.call('POST /marketplace/v1/orders/{id}/status', {
    as: `Basic ${Buffer.from('marketplace:marketplace').toString('base64')}`,
    params: { id: order.id },
    body: { status: 'CANCELLED' },
  })
  expect(cancelled.status).toBe(200)
  await desk.owner.query(
    `update label_purchases set lease_until = now() + interval '3 seconds' where order_id = $1`,
    [order.id],
  )
  const voided = async () => {
    const { rows } = await desk.owner.query<{ state: string }>(
      `select state from sandbox_parcels where label->>'orderNumber' = $1`,
      [order.id],
    )
    return rows[0]?.state
  }
  expect(await until(voided, (state) => state === 'refunded')).toBe('refunded')
  expect((await read(order.id)).status).toBe('CANCELLED')
})

test('T14 GAP-110 labels are refused for a presale that is not ready, a local order and a shop without an account', async () => {
  const date = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10)
  const presale = await accepted({
    delivery: { method: 'preorder' },
    items: [
      {
        ...anOrder('x').items[0],
        aux_data: { preorder_type: 'preorder', preorder_available_date: date },
      },
    ],
  })
  expect((await buy(presale.id)).refusal.code).toBe('presale_not_ready')
  const local = await orderIn(desk, shop, { status: 'MERCHANT_ACCEPTED', method: 'on_demand' })
  expect((await buy(local.id)).refusal.code).toBe('invalid_transition')
  const bare = await desk.openShop()
  const order = await orderIn(desk, bare, { status: 'MERCHANT_ACCEPTED' })
  const refused = await desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/shipping_labels', {
    as: bare.member,
    params: { tmk: bare.key, id: order.id },
    body: { order_id: order.id, boxes: [{ weight: 1 }] },
  })
  expect([refused.status, refused.refusal.code]).toEqual([422, 'account_unauthorized'])
})

test('GAP-129 a shop that chose PNG gets its labels as pictures', async () => {
  const store = await desk.openShop()
  await connectCarrier(desk, store)
  const account = { carrier: 'UPS', account_zip: '10001', label_size: '4x6', label_format: 'PNG' } as const
  const params = { tmk: store.key }
  const saved = await desk.call('PUT /c/v2/merchants/{tmk}/carrier_integration', {
    as: store.manager,
    params,
    body: account,
  })
  expect(saved.body.label_format).toBe('PNG')
  const { id } = await orderIn(desk, store, { status: 'MERCHANT_ACCEPTED' })
  const { body } = await desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/shipping_labels', {
    as: store.member,
    params: { ...params, id },
    body: { order_id: id, boxes: [{ weight: 4 }] },
  })
  const file = await fetch(new URL(body.data[0]?.label_url ?? '', desk.url))
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/png'])
  const { codes } = await scanPicture(Buffer.from(await file.arrayBuffer()))
  expect(codes).toEqual([{ format: 'Code128', text: body.data[0]?.tracking_code }])
})
