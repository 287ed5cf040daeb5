import type { Order } from '@cellarhand/contract/orders'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDesk, type Desk, type Shop } from '../../test/desk.ts'
import { dutiesAt, unknown } from '../../test/duties-desk.ts'
import { orderIn, takeStep } from '../../test/order-steps.ts'
import { anOrder, toUtah } from '../../test/orders.ts'

let desk: Desk
beforeAll(async () => {
  desk = await openDesk()
})
afterAll(async () => desk.stop())
const { decide, careful, pass, read, listed } = dutiesAt(() => desk)

const check = { age_check: { method: 'driver_license' } }

async function close(shop: Shop, order: Order, more: object) {
  return desk.call('POST /m/v2/orders/{id}', {
    as: shop.member,
    params: { id: order.id },
    body: { status: 'CLOSED', delivery_info: { delivered_on: order.date_submitted, ...more } },
  })
}
/** As if it had been on its way since then. */
async function leftAt(order: Order, moment: string) {
  await desk.owner.query('update orders set shipped_at = $2 where order_id = $1', [order.id, moment])
}

test('not within the hours of a signed rule, by the moment of the hand-over; an owner may let it pass', async () => {
  const shop = await desk.openShop(undefined, 'America/Los_Angeles')
  const order = await orderIn(desk, shop, {
    status: 'MERCHANT_SHIPPED',
    method: 'on_demand',
    date_submitted: '2026-01-02T20:00:00Z',
    recipient: { ...anOrder(shop.key).recipient, state: 'CA', city: 'Santa Barbara', zipcode: '93109' },
  })
  await leftAt(order, '2026-01-03T01:50:00-08:00')
  await decide(shop, 'CA-HOURS')
  const at = (time: string) => ({ ...check, delivered_on: `2026-01-03T${time}:00-08:00` })
  const refused = await close(shop, order, at('02:30'))
  expect([refused.status, refused.refusal.message]).toEqual([409, 'No hand-over from 2 AM to 6 AM.'])
  expect((await pass(shop, order, { rule: 'CA-HOURS' })).status).toBe(200)
  expect((await close(shop, order, at('02:30'))).status).toBe(200)
})

test('nor does it leave for the door or is a courier asked within them; it is accepted at any hour', async () => {
  const shop = await desk.openShop(undefined, 'UTC')
  const recipient = { ...anOrder(shop.key).recipient, state: 'CA', city: 'Santa Barbara', zipcode: '93109' }
  const local = { method: 'on_demand', courier_estimate_id: 'est-1', recipient } as const
  const [fresh, here] = [
    await orderIn(desk, shop, { ...local, status: 'SUBMITTED' }),
    await orderIn(desk, shop, { ...local, status: 'MERCHANT_ACCEPTED' }),
  ]
  const hour = (offset: number) => new Date(Date.now() + offset * 3_600_000).toISOString().slice(11, 16)
  await decide(shop, 'CA-HOURS', {
    decision: 'changed',
    reason: 'Our town is asleep',
    value: { from: hour(-2), to: hour(2) },
  })
  for (const step of ['send_out', 'request_courier'] as const) {
    const refused = await takeStep(desk, shop, { order: here, step })
    expect([step, refused.status, refused.refusal.code]).toEqual([step, 409, 'duty_forbids'])
  }
  expect((await takeStep(desk, shop, { order: fresh, step: 'accept' })).status).toBe(200)
})

test('GAP-133 a typed time of before it left the shop does not pass the hours that a rule forbids', async () => {
  const shop = await desk.openShop(undefined, 'UTC')
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
  const order = await orderIn(desk, shop, {
    status: 'MERCHANT_SHIPPED',
    method: 'on_demand',
    date_submitted: hoursAgo(31 * 24),
    recipient: { ...anOrder(shop.key).recipient, state: 'CA', city: 'Santa Barbara', zipcode: '93109' },
  })
  await decide(shop, 'CA-HOURS', {
    decision: 'changed',
    reason: 'Our town is asleep',
    value: { from: hoursAgo(2).slice(11, 16), to: hoursAgo(-2).slice(11, 16) },
  })
  for (const hours of [30 * 24 + 4, 4]) {
    const closed = await close(shop, order, { ...check, delivered_on: hoursAgo(hours) })
    const saved = await desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/data', {
      as: shop.member,
      params: { tmk: shop.key, id: order.id },
      body: { delivered_on: hoursAgo(hours) },
    })
    for (const refused of [closed, saved])
      expect([refused.status, refused.refusal.code]).toEqual([409, 'duty_forbids'])
  }
  // It was on its way for hours, so that it may have changed hands before the night began.
  await leftAt(order, hoursAgo(5))
  expect((await close(shop, order, { ...check, delivered_on: hoursAgo(4) })).status).toBe(200)
})

test('a courier that hands over within the hours of a signed rule is recorded: the order needs a look, and an owner answers for it', async () => {
  const shop = await desk.openShop(undefined, 'UTC')
  const hour = (offset: number) => new Date(Date.now() + offset * 3_600_000).toISOString().slice(11, 16)
  const delivered = async (value: { from: string; to: string }) => {
    const order = await orderIn(desk, shop, {
      status: 'MERCHANT_ACCEPTED',
      method: 'on_demand',
      courier_estimate_id: 'est-1',
      recipient: {
        ...anOrder(shop.key).recipient,
        street_1: '1 Quiet Street',
        state: 'CA',
        city: 'Santa Barbara',
        zipcode: '93109',
        phone_number: '+18055550123',
      },
    })
    for (const step of ['request_courier', 'courier_pick_up'] as const)
      expect([step, (await takeStep(desk, shop, { order, step })).status]).toEqual([step, 200])
    await decide(shop, 'CA-HOURS', { decision: 'changed', reason: 'Our town is asleep', value })
    expect((await takeStep(desk, shop, { order, step: 'courier_deliver' })).status).toBe(200)
    const told = await read(shop, order.id)
    expect(told.status).toBe('CLOSED')
    await decide(shop, 'CA-HOURS', { decision: 'set_aside', reason: 'For the next order' })
    return told
  }
  const inTime = await delivered({ from: hour(2), to: hour(4) })
  expect(inTime.duties?.missing?.map(({ rule }) => rule)).toEqual(['TERMS-AGE'])
  const late = await delivered({ from: hour(-2), to: hour(2) })
  expect(late.duties?.missing?.map(({ rule, kind }) => [rule, kind])).toEqual([
    ['TERMS-AGE', 'age_check'],
    ['CA-HOURS', 'hours'],
  ])
  expect(late.duties?.missing?.[1]?.words).toMatch(/^The courier delivered at \d\d:\d\d\. /)
  const looks = await listed(shop, { 'filter[tab]': 'completed', 'filter[needs_a_look]': 'true' })
  expect(looks.items.map(({ id }) => id)).toContain(late.id)
  const passed = await pass(shop, late, { rule: 'CA-HOURS' })
  expect(passed.body.duties?.missing?.map(({ rule }) => rule)).toEqual(['TERMS-AGE'])
})

test('a local order over a state line is held like a parcel, and goes once an owner lets it pass; one at home stays free', async () => {
  const shop = await careful()
  const local = { delivery: { method: 'on_demand' } } as const
  const home = await desk.order(shop, local)
  expect(home.duties?.block).toEqual([])
  const held = await desk.order(shop, { ...local, ...toUtah })
  expect(held.duties?.block.map(({ rule, words }) => [rule, words])).toEqual([
    [unknown, 'No rule that this shop has confirmed allows to deliver these bottles to Utah.'],
  ])
  const refused = await takeStep(desk, shop, { order: held, step: 'accept' })
  expect([refused.status, refused.refusal.code]).toEqual([409, 'duty_forbids'])
  expect((await pass(shop, held)).status).toBe(200)
  expect((await takeStep(desk, shop, { order: held, step: 'accept' })).status).toBe(200)
})
