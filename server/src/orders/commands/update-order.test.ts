import { dayIn } from '#platform/clock/zoned-time.ts'
import type { Order } from '@cellarhand/contract/orders'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDesk, type Desk, type Shop } from '../../../test/desk.ts'
import { counterOf, orderIn, storedOrder, takeStep, twoItems } from '../../../test/order-steps.ts'
import { anItem } from '../../../test/orders.ts'

let desk: Desk
let shop: Shop
beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
})
afterAll(async () => desk.stop())

const at = (order: Order) => counterOf(desk, { key: shop.key, as: shop.member }, order)
const minuteMs = 60_000
const ago = (ms: number) => new Date(Date.now() - ms).toISOString()

async function expectUnchanged(order: Order, act: () => Promise<void>): Promise<void> {
  const before = await storedOrder(desk, order.id)
  await act()
  expect(await storedOrder(desk, order.id)).toEqual(before)
}

/** So many days from today, by the shop's clock. */
const day = (days: number, timezone = 'America/New_York') =>
  dayIn(Date.parse(dayIn(Date.now(), timezone)) + days * 86_400_000, 'UTC')
const presale = (...dates: (string | null)[]) => ({
  status: 'MERCHANT_ACCEPTED' as const,
  method: 'preorder',
  items: dates.map((date, index) =>
    anItem({ id: `line-${index}`, aux_data: { preorder_type: 'preorder', preorder_available_date: date } }),
  ),
  transaction: { subtotal: 52 * dates.length, total: 52 * dates.length },
})

describe('shipping', () => {
  test('VIEW-016 GAP-110 a presale more than 10 days off is not shipped, whichever of its lines says so', async () => {
    const order = await orderIn(desk, shop, presale(day(1), day(13), null))
    await expectUnchanged(order, async () => {
      const answer = await takeStep(desk, shop, { order, step: 'save_tracking' })
      expect(answer.status).toBe(409)
      expect(answer.refusal).toMatchObject({
        code: 'presale_not_ready',
        message: 'PRESALE ORDER: NOT READY TO SHIP',
        order: { id: order.id, status: 'MERCHANT_ACCEPTED' },
      })
    })
  })

  test('VIEW-016 GAP-110 the ten days are counted by the shop’s clock, wherever the shop is', async () => {
    // At any moment, one of the two shops has another day than Greenwich.
    for (const timezone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      const there = await desk.openShop(undefined, timezone)
      const step = async (days: number) => {
        const order = await orderIn(desk, there, presale(day(days, timezone), null))
        return (await takeStep(desk, there, { order, step: 'save_tracking' })).status
      }
      expect([timezone, await step(11), await step(10)]).toEqual([timezone, 409, 200])
    }
  })

  test('VIEW-016 a presale 10 days ahead ships', async () => {
    const order = await orderIn(desk, shop, presale(day(10), null))
    expect((await takeStep(desk, shop, { order, step: 'save_tracking' })).status).toBe(200)
  })

  test.each([
    ['SHIP-017', {}, ['tracking_id', 'tracking_provider']],
    ['SHIP-015', { tracking_provider: 'UPS', tracking_id: '   ' }, ['tracking_id']],
    ['SHIP-013', { tracking_provider: 'Pigeon', tracking_id: '1' }, ['tracking_provider']],
    ['SHIP-016', { tracking_provider: 'UPS', tracking_id: '1'.repeat(31) }, ['tracking_id']],
    [
      'SHIP-018',
      { tracking_provider: 'OTHER', tracking_id: '1' },
      ['other_tracking_provider', 'tracking_url'],
    ],
    [
      'GAP-61',
      {
        tracking_provider: 'OTHER',
        tracking_id: '1',
        other_tracking_provider: 'X',
        tracking_url: 'javascript:alert(1)',
      },
      ['tracking_url'],
    ],
  ])(
    'SHIP-015 SHIP-016 SHIP-017 SHIP-018 incomplete tracking is refused (%s)',
    async (_id, typed, fields) => {
      const order = await orderIn(desk, shop, { status: 'MERCHANT_ACCEPTED' })
      await expectUnchanged(order, async () => {
        const answer = await at(order).update({ status: 'MERCHANT_SHIPPED', order: typed })
        expect([answer.status, answer.refusal.code]).toEqual([400, 'validation_failed'])
        expect(Object.keys(answer.refusal.errors).toSorted()).toEqual(fields)
      })
    },
  )

  test.each([
    ['FedEx', 'https://www.fedex.com/fedextrack/?trknbr=7946123'],
    ['UPS', 'https://www.ups.com/track?tracknum=7946123'],
    ['GSO', 'https://www.gls-us.com/track-a-package?trackingnumbers=7946123'],
  ])(
    'SHIP-020 GAP-60 GAP-61 ENT-022 ENT-023 with %s an order ships and can be followed',
    async (carrier, url) => {
      const order = await orderIn(desk, shop, { status: 'PAYMENT_APPROVED' })
      const { body } = await at(order).update({
        id: order.id,
        status: 'MERCHANT_SHIPPED',
        order: {
          tracking_provider: carrier,
          tracking_id: ' 7946 123 ',
          tracking_url: 'https://evil.example',
        },
      })
      expect(body).toMatchObject({
        status: 'MERCHANT_SHIPPED',
        tracking_provider: carrier,
        tracking_id: '7946123',
        tracking_url: url,
        other_tracking_provider: null,
        shipment_info: [{ carrier, tracking_url: url, tracking_code: '7946123' }],
      })
    },
  )

  test('SHIP-018 SHIP-020 ENT-024 another carrier keeps its own name and address', async () => {
    const order = await orderIn(desk, shop, { status: 'MERCHANT_ACCEPTED' })
    const { body } = await at(order).update({
      status: 'MERCHANT_SHIPPED',
      order: {
        tracking_provider: 'OTHER',
        tracking_id: 'A-1',
        tracking_url: ' https://swift.example/A-1 ',
        other_tracking_provider: ' Swift ',
      },
    })
    expect(body).toMatchObject({
      tracking_provider: 'OTHER',
      other_tracking_provider: 'Swift',
      tracking_url: 'https://swift.example/A-1',
      shipment_info: [{ carrier: 'Swift', tracking_url: 'https://swift.example/A-1', tracking_code: 'A-1' }],
    })
  })

  test('API-032 POST does the same as PUT, and an id other than the address’s is refused', async () => {
    const order = await orderIn(desk, shop, { status: 'MERCHANT_ACCEPTED', method: 'on_demand' })
    const params = { id: order.id }
    const other = await desk.call('POST /m/v2/orders/{id}', {
      as: shop.member,
      params,
      body: { id: '1', status: 'MERCHANT_SHIPPED' },
    })
    expect([other.status, other.refusal.errors]).toEqual([400, { id: 'Must be the id in the address' }])
    const sent = await desk.call('POST /m/v2/orders/{id}', {
      as: shop.member,
      params,
      body: { status: 'MERCHANT_SHIPPED' },
    })
    expect([sent.status, sent.body.status]).toEqual([200, 'MERCHANT_SHIPPED'])
  })
})

test('T16 VIEW-016 GAP-110 a presale that the store delivers itself waits as long', async () => {
  const far = await orderIn(desk, shop, { ...presale(day(12)), method: 'scheduled' })
  await expectUnchanged(far, async () => {
    const answer = await takeStep(desk, shop, { order: far, step: 'send_out' })
    expect([answer.status, answer.refusal.code]).toEqual([409, 'presale_not_ready'])
  })
  const near = await orderIn(desk, shop, { ...presale(day(10)), method: 'on_demand' })
  expect((await takeStep(desk, shop, { order: near, step: 'send_out' })).body.status).toBe('MERCHANT_SHIPPED')
})

test('T16 SHIP-015 tracking that is sent for a local order is refused and not dropped', async () => {
  const order = await orderIn(desk, shop, { status: 'MERCHANT_ACCEPTED', method: 'on_demand' })
  for (const tracking of [
    { tracking_provider: 'UPS', tracking_id: '1Z999' },
    { tracking_id: '1Z999' },
    { tracking_provider: 'UPS' },
    { tracking_url: 'https://x.example/1' },
    { other_tracking_provider: 'Bike & Co' },
  ])
    await expectUnchanged(order, async () => {
      const answer = await at(order).update({ status: 'MERCHANT_SHIPPED', order: tracking })
      expect([answer.status, answer.refusal.errors]).toEqual([
        400,
        { tracking_id: 'A local order is delivered by the store and has no tracking number' },
      ])
    })
  const tracking = { tracking_provider: 'UPS', tracking_id: '1Z999' }
  const rejection_message = JSON.stringify({ outOfStock: { 'p-1': { checked: true, reason: 'other' } } })
  const delivery_info = { delivered_on: order.date_submitted }
  for (const [from, update] of [
    ['SUBMITTED', { status: 'MERCHANT_ACCEPTED', order: tracking }],
    ['SUBMITTED', { status: 'REJECTED_PARTIAL', order: { rejection_message, ...tracking } }],
    ['MERCHANT_SHIPPED', { status: 'CLOSED', delivery_info, order: tracking }],
  ] as const) {
    const local = await orderIn(desk, shop, { status: from, method: 'scheduled' })
    await expectUnchanged(local, async () => {
      const answer = await at(local).update(update)
      expect([update.status, answer.status, answer.refusal.errors]).toEqual([
        update.status,
        400,
        { tracking_id: 'A local order is delivered by the store and has no tracking number' },
      ])
    })
  }
  const none = { tracking_provider: null, tracking_id: ' ', tracking_url: '' }
  expect((await at(order).update({ status: 'MERCHANT_SHIPPED', order: none })).status).toBe(200)
})

test('API-031 GAP-101 an update takes the order as it was read, and ignores what it does not change', async () => {
  const read = async (id: string) =>
    (await desk.call('GET /m/v2/orders/{id}', { as: shop.member, params: { id } })).body
  for (const method of ['shipped', 'on_demand']) {
    const { id } = await desk.order(shop, { delivery: { method } })
    const order = await read(id)
    const echo = { ...order, status: 'CLOSED', recipient: { last_name: 'Changed' }, transaction: null }
    const accepted = await at(order).update({ id, status: 'MERCHANT_ACCEPTED', order: echo })
    expect([accepted.status, accepted.body.status]).toEqual([200, 'MERCHANT_ACCEPTED'])
    for (const field of ['recipient', 'transaction', 'items', 'customer'] as const)
      expect(accepted.body[field]).toEqual(order[field])
    const tracking = method === 'shipped' ? { tracking_provider: 'UPS', tracking_id: '1Z999' } : {}
    const shipped = await at(order).update({
      id,
      status: 'MERCHANT_SHIPPED',
      order: { ...(await read(id)), ...tracking },
    })
    expect([shipped.status, shipped.body.status]).toEqual([200, 'MERCHANT_SHIPPED'])
  }
  const order = await desk.order(shop)
  await expectUnchanged(order, async () => {
    const answer = await at(order).update({ status: 'MERCHANT_ACCEPTED', order: { made_up: 1 } })
    expect([answer.status, Object.keys(answer.refusal.errors)]).toEqual([400, ['order.made_up']])
  })
})

describe('delivering', () => {
  const details = (delivered_on: unknown) => ({ status: 'CLOSED', delivery_info: { delivered_on } })

  test.each([
    ['nothing at all', undefined, 'Please fill in required fields'],
    ['an empty text', '', 'Please fill in required fields'],
    ['no zone', '2026-11-20T18:00:00', 'zone'],
    ['a day only', '2026-11-20', 'zone'],
    ['a day that is none', '2026-02-30T10:00:00Z', 'zone'],
    ['an hour that is none', '2026-02-20T25:00:00Z', 'zone'],
    ['the future', new Date(Date.now() + 3_600_000).toISOString(), 'future'],
    ['before the order', '2020-01-01T00:00:00Z', 'before the order'],
  ])('DELIV-006 DELIV-007 GAP-133 %s is no time of delivery', async (_name, on, words) => {
    const order = await orderIn(desk, shop, { status: 'MERCHANT_SHIPPED', method: 'on_demand' })
    await expectUnchanged(order, async () => {
      const closing = await at(order).update(details(on))
      expect([closing.status, closing.refusal.code]).toEqual([400, 'validation_failed'])
      expect(closing.refusal.errors['delivered_on']).toContain(words)
      const saving = await desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/data', {
        as: shop.member,
        params: { tmk: shop.key, id: order.id },
        body: { delivered_on: on ?? null },
      })
      expect([saving.status, saving.refusal.errors['delivered_on']]).toEqual([
        400,
        closing.refusal.errors['delivered_on'],
      ])
    })
  })

  test('DELIV-004 DELIV-005 API-036 GAP-135 a delivery closes the order with the driver, the recipient and the time', async () => {
    const order = await orderIn(desk, shop, {
      status: 'MERCHANT_SHIPPED',
      method: 'scheduled',
      date_submitted: ago(60 * minuteMs),
    })
    const delivered_on = ago(5 * minuteMs)
    const { body } = await at(order).update({
      status: 'CLOSED',
      delivery_info: { delivered_on: `${delivered_on.slice(0, 19)}Z`, signed_by: ' Ana ', delivered_by: '' },
    })
    expect(body.status).toBe('CLOSED')
    expect(body.delivery_info).toEqual({
      signed_by: 'Ana',
      delivered_by: null,
      delivered_on: `${delivered_on.slice(0, 19)}.000Z`,
    })
  })

  test('API-035 GAP-134 closing keeps details saved before, and saving them twice is one change', async () => {
    const order = await orderIn(desk, shop, { status: 'MERCHANT_SHIPPED', method: 'on_demand' })
    const save = () =>
      desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/data', {
        as: shop.member,
        params: { tmk: shop.key, id: order.id },
        body: { delivered_on: order.date_submitted, signed_by: 'Ana', delivered_by: 'Bo' },
      })
    const first = await save()
    expect(first.status).toBe(200)
    const once = await storedOrder(desk, order.id)
    expect((await save()).body).toEqual(first.body)
    expect(await storedOrder(desk, order.id)).toEqual(once)
    const closed = await at(order).update({ status: 'CLOSED' })
    expect(closed.body).toMatchObject({ status: 'CLOSED', delivery_info: first.body.delivery_info })
  })
})

describe('reporting lines', () => {
  const reporting = (message: unknown) => ({
    status: 'REJECTED_PARTIAL',
    order: { rejection_message: typeof message === 'string' ? message : JSON.stringify(message) },
  })

  test('ACT-018 ACT-020 ACT-021 ENT-029 GAP-101 reports merge; the first report on a line stays', async () => {
    const order = await orderIn(desk, shop, { status: 'SUBMITTED' })
    const first = await at(order).update(
      reporting({ outOfStock: { 'p-1': { checked: true, reason: 'within 48 hrs' } } }),
    )
    expect(first.body.status).toBe('REJECTED_PARTIAL')
    const second = await at(order).update(
      reporting({
        outOfStock: { 'p-1': { checked: true, reason: 'changed my mind' } },
        wrongPrice: { 'p-2': { checked: true, price: 12.345 } },
      }),
    )
    expect(JSON.parse(second.body.rejection_message ?? '')).toEqual({
      outOfStock: { 'p-1': { checked: true, reason: 'within 48 hrs' } },
      wrongPrice: { 'p-2': { checked: true, price: 12.35 } },
    })
    expect(second.body.transaction).toEqual(order.transaction)
    await expectUnchanged(order, async () => {
      const again = await at(order).update(reporting({ wrongPrice: { 'p-2': { checked: true, price: 1 } } }))
      expect([again.status, Object.keys(again.refusal.errors)]).toEqual([400, ['rejection_message']])
    })
  })

  test('ACT-011 GAP-62 of the four reasons two are reports, and orderRejected and other beside them change nothing', async () => {
    const order = await orderIn(desk, shop, { status: 'SUBMITTED' })
    const reports = {
      outOfStock: { 'p-1': { checked: true, reason: '' } },
      wrongPrice: { 'p-2': { checked: true, price: 12 } },
    }
    const line = { 'p-1': { checked: true } }
    const { status, body } = await at(order).update(
      reporting({ ...reports, orderRejected: line, other: line }),
    )
    expect([status, body.status]).toEqual([200, 'REJECTED_PARTIAL'])
    expect(JSON.parse(body.rejection_message ?? '')).toEqual(reports)
  })

  test('LIST-009 T06 T07 T08 the comment of the on-hold tab is made from what was reported', async () => {
    const order = await orderIn(desk, shop, { status: 'SUBMITTED' })
    const { name } = order.items[0] ?? {}
    const first = await at(order).update(
      reporting({ outOfStock: { 'p-1': { checked: true, reason: 'within 48 hrs' } } }),
    )
    const missing = `Out of stock: ${name}, within 48 hrs`
    expect([first.body.status_comment, first.body.status_recent_comment]).toEqual([missing, missing])
    const further = reporting({ wrongPrice: { 'p-2': { checked: true, price: 12.5 } } })
    expect((await at(order).update(further)).body.status_comment).toBe(
      `${missing}; Wrong price: ${name}, $12.50`,
    )
    const partly = await at(order).reject({
      status: 'REJECTED_PARTIAL',
      reason: { code: 'other', value: 'One bottle broke' },
    })
    // Every line is reported by now, so it can only be rejected whole.
    expect(partly.status).toBe(409)
  })

  test('LIST-009 a comment made from many lines stays short, and whole letters', async () => {
    const items = Array.from({ length: 40 }, (_, index) =>
      anItem({ id: `line-${index}`, name: '🍷'.repeat(7), product: { id: `p-${index}` } }),
    )
    const order = await orderIn(desk, shop, { status: 'SUBMITTED', items })
    const outOfStock = Object.fromEntries(items.map((_, index) => [`p-${index}`, { checked: true }]))
    const { body } = await at(order).update(reporting({ outOfStock }))
    expect([...(body.status_comment ?? '')]).toHaveLength(500)
    expect(body.status_comment).toMatch(/^Out of stock: 🍷+; Out of stock: [^]*…$/u)
  })

  test.each([
    ['a reason that holds half a character', { outOfStock: { 'p-1': { checked: true, reason: '\ud83c' } } }],
    ['nothing', ''],
    ['no lines', {}],
    ['no JSON', '{outOfStock'],
    ['an array', []],
    ['null', 'null'],
    ['a line of another order', { outOfStock: { 'p-7': { checked: true } } }],
    ['a built-in for a line', '{"outOfStock":{"__proto__":{"checked":true}}}'],
    ['a built-in for a reason', '{"__proto__":{"p-1":{"checked":true}}}'],
    ['an unchecked line', { outOfStock: { 'p-1': { checked: false } } }],
    ['a price of nothing', { wrongPrice: { 'p-1': { checked: true, price: 0 } } }],
    ['a price below nothing', { wrongPrice: { 'p-1': { checked: true, price: -1 } } }],
    ['a price of less than a cent', { wrongPrice: { 'p-1': { checked: true, price: 0.004 } } }],
    ['a price in words', { wrongPrice: { 'p-1': { checked: true, price: '12' } } }],
    ['a price missing', { wrongPrice: { 'p-1': { checked: true } } }],
    ['a reason nobody knows', { tooUgly: { 'p-1': { checked: true } } }],
    ['a reason that is no text', { outOfStock: { 'p-1': { checked: true, reason: { a: 1 } } } }],
  ])('T06 T07 GAP-62 a report of %s is refused', async (_name, message) => {
    const order = await orderIn(desk, shop, { status: 'SUBMITTED' })
    await expectUnchanged(order, async () => {
      const answer = await at(order).update(reporting(message))
      expect([answer.status, Object.keys(answer.refusal.errors)]).toEqual([400, ['rejection_message']])
    })
  })

  test('GAP-62 a line without a product is reported by its own id', async () => {
    const order = await orderIn(desk, shop, {
      status: 'SUBMITTED',
      items: [...twoItems(), anItem({ id: 'bare', product: null })],
    })
    const answer = await at(order).update(reporting({ outOfStock: { bare: { checked: true, reason: '' } } }))
    expect(answer.status).toBe(200)
  })
})
