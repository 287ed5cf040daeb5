import type { Order } from '@cellarhand/contract/orders'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDesk, type Desk, type Person, type Shop } from '../../test/desk.ts'
import { dutiesAt, unknown, utah } from '../../test/duties-desk.ts'
import { labelBatches, reasonsIn } from '../../test/label-batches.ts'
import { orderIn, takeStep } from '../../test/order-steps.ts'
import { anItem, onDemand, toUtah } from '../../test/orders.ts'
import { connectCarrier } from '../../test/providers/carrier-account.ts'

let desk: Desk

beforeAll(async () => {
  desk = await openDesk()
})
afterAll(async () => desk.stop())

const { decide, careful, pass, read, listed } = dutiesAt(() => desk)

describe('the rules of a shop', () => {
  test('each has a source and the day on which it was read; an unsigned one is doubtful, and stops no order', async () => {
    const shop = await desk.openShop()
    const { body } = await desk.call('GET /m/v2/merchant/{tmk}/duties', {
      as: shop.member,
      params: { tmk: shop.key },
    })
    expect(body.closing).toBe('enforced_on_dashboard')
    expect(body.rules.length).toBeGreaterThan(20)
    expect(body.rules.filter(({ rule }) => rule.source === '' || rule.read_on === '')).toEqual([])
    expect(body.rules.filter(({ is_doubtful }) => !is_doubtful).map(({ rule }) => rule.id)).toEqual([
      'TERMS-AGE',
    ])

    const order = await desk.order(shop, toUtah)
    expect(order.duties).toBeUndefined()
    expect((await takeStep(desk, shop, { order, step: 'accept' })).status).toBe(200)
  })

  test('only an owner decides; a change or a rule set aside needs its reason, and a value its form', async () => {
    const shop = await desk.openShop()
    const by = (as: Person) =>
      desk.call('PUT /m/v2/merchant/{tmk}/duties/{rule}', {
        as,
        params: { tmk: shop.key, rule: 'CA-HOURS' },
        body: { decision: 'confirmed' },
      })
    expect([
      (await by(shop.member)).status,
      (await by(shop.manager)).status,
      (await by(shop.owner)).status,
    ]).toEqual([403, 403, 200])
    const problems = async (body: object) => (await decide(shop, 'CA-HOURS', body)).refusal.errors
    expect(await problems({ decision: 'set_aside' })).toEqual({ reason: 'Please give the reason' })
    expect(await problems({ decision: 'changed', reason: 'x' })).toEqual({
      decision: 'Please say what changes: applies or value',
    })
    expect(
      Object.keys(await problems({ decision: 'changed', reason: 'x', value: { from: '2 AM' } })),
    ).toEqual(['value'])
    expect(Object.keys(await problems({ decision: 'confirmed', value: {} }))).toEqual(['value'])
    const changed = { decision: 'changed', reason: 'x' }
    const noTime = { from: '02:00', to: '02:00' }
    expect(await problems({ ...changed, value: noTime })).toEqual({
      value: 'to: Must be another time of day than from',
    })
    // Nobody sees that reason.
    expect(Object.keys(await problems({ decision: 'set_aside', reason: '\u200b' }))).toEqual(['reason'])
    const of = { carrier: 'FedEx', asks: 'services' }
    for (const value of [
      { ...of, asks: 'sticker' },
      { ...of, carrier: 'Nobody', services: ['Ground'] },
      { ...of, services: Array.from({ length: 41 }, () => 'Ground') },
    ])
      expect(
        Object.keys((await decide(shop, 'US-FEDEX-SERVICES', { ...changed, value })).refusal.errors ?? {}),
      ).toEqual(['value'])
    expect((await decide(shop, 'NO-SUCH-RULE')).status).toBe(404)
  })

  test('every decision stays on record, with its name and reason', async () => {
    const shop = await desk.openShop()
    await decide(shop, 'CA-HOURS')
    const value = { from: '00:00', to: '06:00' }
    const { body } = await decide(shop, 'CA-HOURS', {
      decision: 'changed',
      value,
      reason: 'Our town closes at twelve',
    })
    expect(body.rules.find(({ rule }) => rule.id === 'CA-HOURS')?.decision).toMatchObject({
      decision: 'changed',
      value,
      reason: 'Our town closes at twelve',
      by: expect.stringContaining('owner') as string,
    })
    const { rows } = await desk.owner.query(
      'select decision_no, decision, reason from duty_decisions where merchant_id = $1 order by decision_no',
      [shop.key],
    )
    expect(rows).toEqual([
      { decision_no: 1, decision: 'confirmed', reason: null },
      { decision_no: 2, decision: 'changed', reason: 'Our town closes at twelve' },
    ])
  })
})

describe('an order to a place that no signed rule allows', () => {
  test('carries the answer from its arrival on, needs a look, and is not accepted', async () => {
    const shop = await careful()
    const order = await desk.order(shop, toUtah)
    expect(order.duties?.block).toEqual([{ rule: unknown, kind: 'destination', words: utah }])
    const refused = await takeStep(desk, shop, { order, step: 'accept' })
    expect(refused.status).toBe(409)
    expect(refused.refusal).toMatchObject({
      code: 'duty_forbids',
      message: utah,
      latest: { action: 'submit' },
    })
    expect((await read(shop, order.id)).status).toBe('SUBMITTED')
    expect((await takeStep(desk, shop, { order, step: 'reject' })).status).toBe(200)
    const late = await pass(shop, order)
    expect([late.status, late.refusal.code]).toEqual([409, 'order_finished'])
  })

  test('one at home is accepted as ever', async () => {
    const shop = await careful()
    const order = await desk.order(shop)
    expect(order.duties).toBeUndefined()
    expect((await takeStep(desk, shop, { order, step: 'accept' })).status).toBe(200)
  })

  test('in bulk the others are accepted, and its own refusal names it and the rule', async () => {
    const shop = await careful()
    const [held, fine] = [await desk.order(shop, toUtah), await desk.order(shop)]
    const { body } = await desk.call('POST /m/v2/merchant/{tmk}/orders/bulk/accept', {
      as: shop.member,
      params: { tmk: shop.key },
      body: { orders: [held, fine].map(({ id }) => ({ id, status: 'MERCHANT_ACCEPTED' })) },
    })
    expect(body).toEqual({
      order_accepted_count: 1,
      order_rejected_count: 1,
      rejected: [{ id: held.id, message: utah }],
    })
  })

  test('a rule signed later also stops the steps of accepted orders: label, tracking', async () => {
    const shop = await desk.openShop()
    const order = await orderIn(desk, shop, { status: 'MERCHANT_ACCEPTED', ...toUtah })
    await decide(shop, 'US-HOME-STATE')
    for (const step of ['buy_labels', 'save_tracking'] as const) {
      const refused = await takeStep(desk, shop, { order, step })
      expect([step, refused.status, refused.refusal.code]).toEqual([step, 409, 'duty_forbids'])
    }
    expect((await read(shop, order.id)).status).toBe('MERCHANT_ACCEPTED')
  })

  test('labels in bulk: its own refusal names it and the rule, and nothing is bought', async () => {
    const shop = await desk.openShop()
    await connectCarrier(desk, shop)
    const order = await orderIn(desk, shop, { status: 'MERCHANT_ACCEPTED', order_weight: 4, ...toUtah })
    await decide(shop, 'US-HOME-STATE')
    expect(reasonsIn(await labelBatches(desk, shop).buy([order.id]))).toEqual({ [order.id]: utah })
    expect((await read(shop, order.id)).shipment_info).toEqual([])
  })

  test('so it does on the road to the door: out for delivery, courier and hand-over; bringing back stays', async () => {
    const shop = await desk.openShop()
    const waiting = {
      status: 'MERCHANT_ACCEPTED',
      method: 'on_demand',
      courier_estimate_id: 'est-1',
    } as const
    const [here, there] = [
      await orderIn(desk, shop, waiting),
      await orderIn(desk, shop, { ...waiting, status: 'MERCHANT_SHIPPED' }),
    ]
    const applies = { roads: ['local'], classes: ['beer'] }
    await decide(shop, 'US-HOME-STATE', { decision: 'changed', applies, reason: 'We deliver beer alone' })
    for (const [order, step] of [
      [here, 'send_out'],
      [here, 'request_courier'],
      [there, 'deliver'],
    ] as const) {
      const refused = await takeStep(desk, shop, { order, step })
      expect([step, refused.status, refused.refusal.code]).toEqual([step, 409, 'duty_forbids'])
    }
    const details = await desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/data', {
      as: shop.member,
      params: { tmk: shop.key, id: there.id },
      body: { delivered_on: there.date_submitted },
    })
    expect([details.status, details.refusal.code]).toEqual([409, 'duty_forbids'])
    expect((await takeStep(desk, shop, { order: there, step: 'bring_back' })).status).toBe(200)
  })

  test('corrected lines are asked about anew', async () => {
    const shop = await careful()
    await decide(shop, 'CT-WINE')
    const recipient = { ...toUtah.recipient, state: 'CT', city: 'Hartford', zipcode: '06103' }
    const items = [anItem({ product: { id: 'p-1' }, beverage_class: 'wine' })]
    const order = await orderIn(desk, shop, { status: 'REJECTED_PARTIAL', recipient, items })
    expect(order.duties).toBeUndefined()
    expect((await takeStep(desk, shop, { order, step: 'resume' })).body.duties?.block).toHaveLength(1)
  })

  test('another address is asked about anew', async () => {
    const shop = await careful()
    const order = await desk.order(shop, toUtah)
    await pass(shop, order)
    const moved = (await takeStep(desk, shop, { order, step: 'correct_address' })).body
    expect(moved.duties?.block.map(({ words }) => words)).toEqual([utah.replace('Utah', 'California')])
    expect(moved.duties?.set_aside).toBeUndefined()
    const looks = await listed(shop, { 'filter[tab]': 'active', 'filter[needs_a_look]': 'true' })
    expect(looks.items.map(({ id }) => id)).toEqual([order.id])
  })
})

test('a held order is not among those that can be accepted, in a filtered list either', async () => {
  const shop = await careful()
  await desk.order(shop, toUtah)
  await desk.order(shop)
  await desk.order(shop, onDemand)
  const counted = async (filter: Record<string, string>) =>
    (await listed(shop, { 'filter[tab]': 'active', ...filter })).filters.available.undecided?.count
  expect([
    await counted({}),
    await counted({ 'filter[delivery_method]': 'shipped' }),
    await counted({ 'filter[delivery_method]': 'shipped', 'filter[status]': 'new' }),
    await counted({ 'filter[status]': 'accepted' }),
    // A rule holds each of them.
    await counted({ 'filter[needs_a_look]': 'true' }),
    await counted({ 'filter[due]': 'late' }),
  ]).toEqual([2, 1, 1, 0, undefined, 0])

  // The same of a class and of a clerk.
  const since = { date_submitted: new Date(Date.now() - 60 * 86_400_000).toISOString() }
  const late = [await desk.order(shop, { ...toUtah, ...since }), await desk.order(shop, since)]
  const accepted = await orderIn(desk, shop, { status: 'MERCHANT_ACCEPTED', ...since })
  for (const { id } of [...late, accepted])
    await desk.call('PUT /m/v2/merchant/{tmk}/orders/{id}/taken', {
      as: shop.member,
      params: { tmk: shop.key, id },
      body: {},
    })
  const ofClerk = { 'filter[taken_by]': shop.member.id }
  expect([
    await counted({}),
    await counted({ 'filter[due]': 'late' }),
    await counted({ 'filter[due]': 'soon' }),
    await counted(ofClerk),
    await counted({ ...ofClerk, 'filter[delivery_method]': 'on_demand' }),
    (await listed(shop, { 'filter[tab]': 'active', 'filter[due]': 'late' })).total_rows,
    (await listed(shop, { 'filter[tab]': 'active', ...ofClerk })).total_rows,
  ]).toEqual([3, 1, 0, 1, 0, 3, 3])
})

describe('an owner lets one order pass', () => {
  test('with a reason, which the history keeps; a clerk or a manager may not', async () => {
    const shop = await careful()
    const order = await desk.order(shop, toUtah)
    expect([
      (await pass(shop, order, { as: shop.member })).status,
      (await pass(shop, order, { as: shop.manager })).status,
    ]).toEqual([403, 403])
    const passed = await pass(shop, order)
    expect(passed.status).toBe(200)
    expect(passed.body.duties).toMatchObject({
      block: [],
      set_aside: [unknown],
    })
    expect((await read(shop, order.id)).history[0]).toMatchObject({
      action: 'pass_duty',
      party: 'merchant',
      details: { rule: unknown, words: utah, reason: 'The brand holds a licence there' },
    })
    expect((await takeStep(desk, shop, { order, step: 'accept' })).status).toBe(200)
    const again = await pass(shop, order)
    expect(again.refusal.errors).toEqual({ rule: 'This rule does not stand against the order' })
  })
})

async function outIn(shop: Shop): Promise<Order> {
  return orderIn(desk, shop, { status: 'MERCHANT_SHIPPED', method: 'on_demand' })
}
async function close(shop: Shop, order: Order, more: object = {}) {
  return desk.call('POST /m/v2/orders/{id}', {
    as: shop.member,
    params: { id: order.id },
    body: { status: 'CLOSED', delivery_info: { delivered_on: order.date_submitted, ...more } },
  })
}
async function enforce(shop: Shop, closing: string) {
  return desk.call('PUT /m/v2/merchant/{tmk}/duties_closing', {
    as: shop.owner,
    params: { tmk: shop.key },
    body: { closing, reason: 'The scanner is broken' },
  })
}
const check = { age_check: { method: 'driver_license' } }

describe('the hand-over of a local order', () => {
  test('asks for an ID check from the start, because the terms do', async () => {
    const shop = await desk.openShop()
    const order = await desk.order(shop, onDemand)
    expect(order.duties).toMatchObject({ block: [], must: [{ rule: 'TERMS-AGE', kind: 'age_check' }] })
    const { body } = await desk.call('GET /m/v2/merchant/{tmk}/orders/{id}/duties', {
      as: shop.member,
      params: { tmk: shop.key, id: order.id },
    })
    expect(body).toMatchObject({
      needs_check: true,
      must: [{ rule: 'TERMS-AGE', source: '/terms', is_doubtful: false }],
    })
  })

  test('DELIV-005 a client that closes without one is answered as ever; the order needs a look until an owner has looked', async () => {
    const shop = await desk.openShop()
    const order = await outIn(shop)
    const closed = await close(shop, order)
    expect([closed.status, closed.body.status, closed.body.duties?.missing?.map(({ rule }) => rule)]).toEqual(
      [200, 'CLOSED', ['TERMS-AGE']],
    )
    const looks = { 'filter[tab]': 'completed', 'filter[needs_a_look]': 'true' }
    expect((await listed(shop, looks)).items.map(({ id }) => id)).toEqual([order.id])
    expect((await read(shop, order.id)).history[0]).toMatchObject({
      action: 'deliver',
      details: { rules: ['TERMS-AGE'], missing: ['TERMS-AGE'] },
    })
    expect((await pass(shop, order, { rule: 'TERMS-AGE' })).status).toBe(200)
    expect((await listed(shop, looks)).total_rows).toBe(0)
  })

  test('an owner has it refused without a check, on every client', async () => {
    const shop = await desk.openShop()
    expect((await enforce(shop, 'enforced')).body.closing).toBe('enforced')
    const order = await outIn(shop)
    const refused = await close(shop, order)
    expect([refused.status, refused.refusal.code]).toEqual([409, 'age_check_required'])
    expect((await read(shop, order.id)).status).toBe('MERCHANT_SHIPPED')
    const closed = await close(shop, order, check)
    expect([closed.status, closed.body.duties?.missing]).toEqual([200, undefined])
  })

  test('a merchant of before keeps its way: no check is asked for on its dashboard', async () => {
    const shop = await desk.openShop()
    await enforce(shop, 'recorded')
    const order = await outIn(shop)
    const { body } = await desk.call('GET /m/v2/merchant/{tmk}/orders/{id}/duties', {
      as: shop.member,
      params: { tmk: shop.key, id: order.id },
    })
    expect(body.needs_check).toBe(false)
    expect((await close(shop, order)).body.duties?.missing).toHaveLength(1)
  })
})

test('a rule that asks for a scan takes no typed date and no ID that was only seen; what it asked for is listed', async () => {
  const shop = await desk.openShop()
  const electronic = {
    decision: 'changed',
    reason: 'Our permit asks for it',
    value: { is_electronic: true },
  }
  expect((await decide(shop, 'TERMS-AGE', electronic)).status).toBe(200)
  await enforce(shop, 'enforced')
  const reading = { how: 'scanned', is_over_21: true, is_expired: false }
  const typed = { age_check: { method: 'driver_license', reading: { ...reading, how: 'typed' } } }
  const order = await outIn(shop)
  const asked = async () => {
    const params = { tmk: shop.key, id: order.id }
    const { body } = await desk.call('GET /m/v2/merchant/{tmk}/orders/{id}/duties', {
      as: shop.member,
      params,
    })
    return [body.needs_check, body.needs_scan, body.must[0]?.is_electronic]
  }
  expect(await asked()).toEqual([true, true, true])
  for (const more of [check, typed]) {
    const refused = await close(shop, order, more)
    expect([refused.status, refused.refusal.code]).toEqual([409, 'age_check_required'])
    expect(refused.refusal.message).toMatch(/^Check the ID at the door: .* The ID has to be scanned\./)
  }
  expect((await read(shop, order.id)).status).toBe('MERCHANT_SHIPPED')
  const scanned = await close(shop, order, { age_check: { method: 'driver_license', reading } })
  expect([scanned.status, scanned.body.duties?.missing]).toEqual([200, undefined])

  await enforce(shop, 'recorded')
  const other = await outIn(shop)
  const closed = await close(shop, other, typed)
  expect([closed.status, closed.body.duties?.missing]).toMatchObject([
    200,
    [{ rule: 'TERMS-AGE', is_electronic: true }],
  ])
  const looks = await listed(shop, { 'filter[tab]': 'completed', 'filter[needs_a_look]': 'true' })
  expect(looks.items.map(({ id }) => id)).toEqual([other.id])
  expect(
    (
      await desk.call('GET /m/v2/merchant/{tmk}/orders/{id}/duties', {
        as: shop.member,
        params: { tmk: shop.key, id: other.id },
      })
    ).body.needs_scan,
  ).toBe(false)
})

test('what one shop has signed never reaches another', async () => {
  const [shop, other] = [await careful(), await desk.openShop()]
  expect((await desk.order(other, toUtah)).duties).toBeUndefined()
  const order = await desk.order(shop, toUtah)
  const foreign = await desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/duties/pass', {
    as: other.owner,
    params: { tmk: other.key, id: order.id },
    body: { rule: unknown, reason: 'x' },
  })
  expect(foreign.status).toBe(404)
})
