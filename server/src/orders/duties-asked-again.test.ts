import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDesk, type Desk, type Person, type Shop } from '../../test/desk.ts'
import { holdRows } from '../../test/database/held-rows.ts'
import { dutiesAt, unknown } from '../../test/duties-desk.ts'
import { eventually } from '../../test/eventually.ts'
import { counterOf, orderIn, takeStep } from '../../test/order-steps.ts'
import { anOrder, toUtah } from '../../test/orders.ts'
import { connectCarrier } from '../../test/providers/carrier-account.ts'

let desk: Desk

beforeAll(async () => {
  desk = await openDesk()
})
afterAll(async () => desk.stop())

const { decide, careful, pass, read, listed } = dutiesAt(() => desk)

/** The jobs that ask a shop's open orders again. */
async function checksOf(shop: Shop) {
  const { rowCount } = await desk.owner.query(
    "select from jobs where merchant_id = $1 and kind = 'check_duties'",
    [shop.key],
  )
  return rowCount
}

describe('after a decision about a rule', () => {
  test('the open orders are asked again: list, filter and history follow', async () => {
    const shop = await desk.openShop()
    const [order, home] = [await desk.order(shop, toUtah), await desk.order(shop)]
    const gone = await orderIn(desk, shop, { status: 'MERCHANT_REJECTED', ...toUtah })
    await decide(shop, 'US-HOME-STATE')
    await eventually(async () => expect((await read(shop, order.id)).duties?.block).toHaveLength(1))
    const history = (await read(shop, order.id)).history
    expect(history[0]).toMatchObject({
      action: 'check_duties',
      party: 'system',
      details: { block: [unknown] },
    })
    const looks = await listed(shop, { 'filter[tab]': 'active', 'filter[needs_a_look]': 'true' })
    expect([looks.items.map(({ id }) => id), looks.total_rows]).toEqual([[order.id], 1])
    const dueFirst = await listed(shop, {
      'filter[tab]': 'active',
      'filter[needs_a_look]': 'true',
      'sort[due]': 'asc',
    })
    expect([dueFirst.items.map(({ id }) => id), dueFirst.total_rows]).toEqual([[order.id], 1])
    const all = await listed(shop, { 'filter[tab]': 'active' })
    expect([all.total_rows, all.filters.available.needs_a_look]).toEqual([2, { count: 1 }])

    await decide(shop, 'US-HOME-STATE', {
      decision: 'set_aside',
      reason: 'Our lawyer asks the carriers first',
    })
    await eventually(async () => expect((await read(shop, order.id)).duties?.block).toEqual([]))
    await eventually(async () => expect(await checksOf(shop)).toBe(0))
    const none = await listed(shop, { 'filter[tab]': 'active', 'filter[needs_a_look]': 'true' })
    expect([none.total_rows, none.filters.available.needs_a_look]).toEqual([0, undefined])
    // What the rules have never asked of an order is not written into it.
    expect([(await read(shop, home.id)).version, (await read(shop, gone.id)).duties]).toEqual([1, undefined])
  })

  test('one that came in beside the decision is asked again too', async () => {
    const shop = await desk.openShop()
    await desk.order(shop)
    const held = await holdRows(desk, 'select from order_counts where merchant_id = $1 for update', [
      shop.key,
    ])
    const coming = desk.order(shop, toUtah)
    await held.waiting(1)
    const deciding = decide(shop, 'US-HOME-STATE')
    await held.waiting(2)
    await held.release()
    const [order, decided] = await Promise.all([coming, deciding])
    expect([order.duties, decided.status]).toEqual([undefined, 200])
    await eventually(async () => expect((await read(shop, order.id)).duties?.block).toHaveLength(1))
  })

  test('one that comes back to the shop is asked again', async () => {
    const shop = await desk.openShop()
    await connectCarrier(desk, shop)
    const order = await orderIn(desk, shop, { status: 'MERCHANT_ACCEPTED', ...toUtah })
    expect((await takeStep(desk, shop, { order, step: 'buy_labels' })).status).toBe(200)
    await decide(shop, 'US-HOME-STATE')
    const back = await takeStep(desk, shop, { order, step: 'void_labels' })
    expect([back.status, back.body.status]).toEqual([200, 'MERCHANT_ACCEPTED'])
    expect(back.body.duties?.block.map(({ rule }) => rule)).toEqual([unknown])
    const looks = await listed(shop, { 'filter[tab]': 'active', 'filter[needs_a_look]': 'true' })
    expect(looks.items.map(({ id }) => id)).toEqual([order.id])
  })

  test('so are all of a shop that moves to another state', async () => {
    const shop = await careful()
    const order = await desk.order(shop)
    const { body: merchant } = await desk.call('GET /c/v2/merchants/{tmk}', {
      as: shop.owner,
      params: { tmk: shop.key },
    })
    const { name, email, primary_phone, address } = merchant
    const moved = await desk.call('POST /c/v2/merchants/{tmk}', {
      as: shop.owner,
      params: { tmk: shop.key },
      body: { name, email, primary_phone, address: { ...address, street_2: 'N/A', state: 'NJ' } },
    })
    expect(moved.status).toBe(200)
    await eventually(async () => expect((await read(shop, order.id)).duties?.block).toHaveLength(1))
  })
})

test('a manager does not move the shop into the state of a held order; an owner does', async () => {
  const shop = await careful()
  const order = await desk.order(shop, toUtah)
  const { body: merchant } = await desk.call('GET /c/v2/merchants/{tmk}', {
    as: shop.owner,
    params: { tmk: shop.key },
  })
  const { name, email, primary_phone, address } = merchant
  const move = (as: Person, state: string) =>
    desk.call('POST /c/v2/merchants/{tmk}', {
      as,
      params: { tmk: shop.key },
      body: { name, email, primary_phone, address: { ...address, street_2: 'N/A', state } },
    })
  const refused = await move(shop.manager, 'UT')
  expect([refused.status, refused.refusal.errors]).toMatchObject([
    400,
    { 'address.state': expect.stringContaining('Only an owner') as string },
  ])
  expect((await takeStep(desk, shop, { order, step: 'accept' })).status).toBe(409)
  // The same state by its name is no move.
  expect((await move(shop.manager, ' new york')).status).toBe(200)
  expect((await move(shop.owner, 'UT')).status).toBe(200)
})

describe('what an owner let pass is what they saw', () => {
  test('a held address to which a clerk gives an allowed state alone stays held', async () => {
    const shop = await careful()
    const order = await desk.order(shop, toUtah)
    const { street_1, city, zipcode } = toUtah.recipient
    const corrected = await counterOf(desk, { key: shop.key, as: shop.member }, order).correctAddress({
      street_1,
      city,
      state: 'NY',
      zipcode,
    })
    expect(corrected.body.duties?.block).toMatchObject([
      {
        rule: unknown,
        words: expect.stringContaining('The zip code 84103 is not one of New York.') as string,
      },
    ])
    expect((await takeStep(desk, shop, { order, step: 'accept' })).status).toBe(409)
    // An owner may know better: some post offices serve both sides of a state's line.
    expect((await pass(shop, order)).status).toBe(200)
    expect((await takeStep(desk, shop, { order, step: 'accept' })).status).toBe(200)
  })

  test('one rule that an owner let pass leaves the others standing', async () => {
    const shop = await careful()
    await decide(shop, 'US-PO-BOX')
    const order = await desk.order(shop, { recipient: { ...toUtah.recipient, street_1: 'PO Box 4' } })
    expect((await pass(shop, order)).status).toBe(200)
    const refused = await takeStep(desk, shop, { order, step: 'accept' })
    expect([refused.status, refused.refusal.code]).toEqual([409, 'duty_forbids'])
    expect((await pass(shop, order, { rule: 'US-PO-BOX' })).status).toBe(200)
    expect((await takeStep(desk, shop, { order, step: 'accept' })).status).toBe(200)
  })

  test('an owner answers for the address that they saw, and for no other', async () => {
    const shop = await careful()
    const order = await desk.order(shop, toUtah)
    await takeStep(desk, shop, { order, step: 'correct_address' })
    const late = await pass(shop, order, { version: order.version })
    expect([late.status, late.refusal.code, late.refusal['latest']]).toMatchObject([
      409,
      'invalid_transition',
      { action: 'correct_address' },
    ])
    expect((await read(shop, order.id)).duties?.set_aside).toBeUndefined()
    expect((await pass(shop, order, { version: order.version + 1 })).status).toBe(200)
  })

  test('the hours that an owner let pass are those of one hand-over; a place stays passed when the order comes back', async () => {
    const shop = await desk.openShop(undefined, 'America/Los_Angeles')
    const recipient = { ...anOrder(shop.key).recipient, state: 'CA', city: 'Santa Barbara', zipcode: '93109' }
    const order = await orderIn(desk, shop, { status: 'MERCHANT_SHIPPED', method: 'on_demand', recipient })
    const reason = 'We deliver beer alone'
    const applies = { roads: ['local'], classes: ['beer'] }
    await decide(shop, 'US-HOME-STATE', { decision: 'changed', applies, reason })
    await decide(shop, 'CA-HOURS')
    expect((await pass(shop, order)).status).toBe(200)
    const passed = await pass(shop, order, { rule: 'CA-HOURS' })
    expect(passed.body.duties?.set_aside).toEqual([unknown, 'CA-HOURS'])
    const back = await takeStep(desk, shop, { order, step: 'bring_back' })
    expect(back.body.duties).toMatchObject({ set_aside: [unknown], block: [] })
  })
})

test('the counts of the orders that need a look are those of the orders', async () => {
  const { rows } = await desk.owner.query(
    `select (select count(*)::int from orders where needs_look) as orders, (select sum(looks)::int from order_counts) as counted,
       (select count(*)::int from order_counts where looks < 0) as negative`,
  )
  expect(rows).toEqual([
    { orders: expect.any(Number) as number, counted: (rows[0] as { orders: number }).orders, negative: 0 },
  ])
  expect(rows[0]).not.toMatchObject({ orders: 0 })
})
