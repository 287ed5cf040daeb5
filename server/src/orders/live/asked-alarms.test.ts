import type { Order } from '@cellarhand/contract/orders'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openDesk, type Desk, type Person, type Shop } from '../../../test/desk.ts'
import { dutiesAt, unknown } from '../../../test/duties-desk.ts'
import { toUtah } from '../../../test/orders.ts'
import { listen } from '../../../test/event-reader.ts'
import { eventually } from '../../../test/eventually.ts'
import { takeStep } from '../../../test/order-steps.ts'

let desk: Desk
let shop: Shop
const { careful, decide, pass } = dutiesAt(() => desk)

beforeAll(async () => {
  desk = await openDesk()
})
beforeEach(async () => {
  shop = await careful()
})
afterAll(async () => desk.stop())

const at = (order: Order) => ({ tmk: shop.key, id: order.id })
const ask = (order: Order) =>
  desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/duties/ask', {
    as: shop.member,
    params: at(order),
    body: { rule: unknown },
  })
const keep = (order: Order) =>
  desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/duties/keep_held', {
    as: shop.owner,
    params: at(order),
    body: { rule: unknown, reason: 'We have no permit there' },
  })
const notice = async (order: Order, as: Person) =>
  (
    await desk.call('POST /m/v2/merchant/{tmk}/alarms/acknowledge', {
      as,
      params: { tmk: shop.key },
      body: { alarms: [{ order_id: order.id, kind: 'asked' }] },
    })
  ).body.acknowledged
const ringing = async () => {
  const { body } = await desk.call('GET /m/v2/merchant/{tmk}/alarms', {
    as: shop.member,
    params: { tmk: shop.key },
  })
  return [body.asked?.total, body.asked?.items.map(({ order_id: id }) => id)]
}

test('a clerk’s question rings on the open screens, until an owner has noticed it; a clerk cannot silence it', async () => {
  const order = await desk.order(shop, toUtah)
  const screen = await listen(desk, { key: shop.key, as: shop.owner })
  expect((await ask(order)).status).toBe(200)
  await screen.next(
    ({ event, data }) =>
      event === 'alarms' && JSON.stringify(data).includes(`"order_id":"${order.id}","kind":"asked"`),
  )
  await screen.cut()
  expect(await ringing()).toEqual([1, [order.id]])
  for (const clerk of [shop.member, shop.manager]) expect(await notice(order, clerk)).toBe(0)
  expect(await ringing()).toEqual([1, [order.id]])
  expect(await notice(order, shop.owner)).toBe(1)
  expect(await ringing()).toEqual([0, []])
  // The same question again is no news, and a new one after a no is.
  await ask(order)
  expect(await ringing()).toEqual([0, []])
  await keep(order)
  await ask(order)
  expect(await ringing()).toEqual([1, [order.id]])
})

test('it ends with the owner’s answer, and with everything that makes an answer needless', async () => {
  const ends: Record<string, (order: Order) => Promise<unknown>> = {
    kept: keep,
    passed: (order) => pass(shop, order),
    rejected: (order) => takeStep(desk, shop, { order, step: 'reject' }),
    cancelled: (order) => takeStep(desk, shop, { order, step: 'cancel' }),
    'sent elsewhere': (order) => takeStep(desk, shop, { order, step: 'correct_address' }),
  }
  for (const [name, end] of Object.entries(ends)) {
    const order = await desk.order(shop, toUtah)
    await ask(order)
    expect([name, ...(await ringing())]).toEqual([name, 1, [order.id]])
    await end(order)
    expect([name, ...(await ringing())]).toEqual([name, 0, []])
  }
})

test('it ends when an owner sets the rule behind it aside for the whole shop, and the order waits for nobody', async () => {
  const order = await desk.order(shop, toUtah)
  await ask(order)
  expect(await ringing()).toEqual([1, [order.id]])
  await decide(shop, 'US-HOME-STATE', { decision: 'set_aside', reason: 'We hold permits everywhere' })
  await eventually(async () => expect(await ringing()).toEqual([0, []]))
  const { body } = await desk.call('GET /m/v2/orders/{id}', { as: shop.member, params: { id: order.id } })
  expect([body.duties?.asked, body.duties?.note]).toEqual([undefined, undefined])
})
