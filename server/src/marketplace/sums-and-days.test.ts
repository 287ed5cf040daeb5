import type { NewOrder } from '@cellarhand/contract/marketplace'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { marketplaceCredential, openDesk, type Desk, type Shop } from '../../test/desk.ts'
import { anItem, anOrder } from '../../test/orders.ts'

let desk: Desk
let shop: Shop
beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
})
afterAll(async () => desk.stop())

const send = async (body: unknown) =>
  desk.call('POST /marketplace/v1/orders', { as: marketplaceCredential, body })

describe('GAP-65 amounts add up to the cent', () => {
  const one = (changes: object, transaction: object) =>
    send({
      ...anOrder(shop.key),
      items: [anItem(changes)],
      transaction: { subtotal: 52, total: 52, ...transaction },
    })

  test.each<[string, object, object, string]>([
    [
      'a cent too little in a line',
      { subtotal: 51.99 },
      { subtotal: 51.99, total: 51.99 },
      'items.0.subtotal',
    ],
    ['a line of two', { quantity: 2 }, {}, 'items.0.subtotal'],
    ['half a cent', { price: 52.005, subtotal: 52.005 }, {}, 'items.0.price'],
    ['a discount above the price', { discount: 52.01, subtotal: 0 }, {}, 'items.0.discount'],
    ['another subtotal', {}, { subtotal: 52.01, total: 52.01 }, 'transaction.subtotal'],
    ['another total', {}, { tax: 1, total: 52 }, 'transaction.total'],
    ['a total a cent off', {}, { tax: 1, tip: 0.1, shipping: 0.2, total: 53.31 }, 'transaction.total'],
    ['a total in parts of a cent', {}, { total: 52.001 }, 'transaction.total'],
    [
      'a discount taken in the line and in the subtotal',
      { discount: 2, subtotal: 50 },
      { subtotal: 48, total: 48 },
      'transaction.subtotal',
    ],
    [
      'a discount taken in the line and in the total',
      { discount: 2, subtotal: 50 },
      { subtotal: 50, total: 48 },
      'transaction.total',
    ],
    [
      'a discount taken in the subtotal and in the total',
      { discount: 2 },
      { subtotal: 50, total: 48 },
      'transaction.total',
    ],
    [
      'a discount taken three times',
      { discount: 2, subtotal: 50 },
      { subtotal: 48, total: 46 },
      'transaction.subtotal',
    ],
    ['a discount never taken', { discount: 2 }, { subtotal: 52, total: 52 }, 'transaction.total'],
  ])('%s is refused', async (...[, item, transaction, path]) => {
    const answer = await one(item, transaction)
    expect([answer.status, Object.keys(answer.refusal.errors)[0]]).toEqual([400, path])
  })

  test.each<[string, object, object]>([
    ['a discount taken off in the line', { discount: 2, subtotal: 50 }, { subtotal: 50, total: 50 }],
    ['a discount taken off in the subtotal', { discount: 2 }, { subtotal: 50, total: 50 }],
    ['a discount taken off in the total', { discount: 2 }, { subtotal: 52, total: 50 }],
    ['tenths that binary numbers cannot hold', {}, { tax: 0.1, tip: 0.2, total: 52.3 }],
    ['free', { price: 0, subtotal: 0 }, { subtotal: 0, total: 0 }],
  ])('%s is right', async (_name, item, transaction) => {
    expect((await one(item, transaction)).status).toBe(201)
  })

  test('discounts are taken off on all lines or on none', async () => {
    const two = (...subtotals: number[]) =>
      subtotals.map((subtotal, index) => anItem({ id: `line-${index}`, discount: 2, subtotal }))
    const order = (items: NewOrder['items'], total: number) => ({
      ...anOrder(shop.key),
      items,
      transaction: { subtotal: items.reduce((sum, item) => sum + item.subtotal, 0), total },
    })
    const mixed = await send(order(two(50, 52), 100))
    expect([mixed.status, Object.keys(mixed.refusal.errors)]).toEqual([400, ['items.1.subtotal']])
    for (const items of [two(50, 50), two(52, 52)]) expect((await send(order(items, 100))).status).toBe(201)
  })
})

describe('ENT-012 VIEW-015 a scheduled order', () => {
  const scheduled = (delivery: object, to = shop.key) =>
    send(anOrder(to, { delivery: { method: 'scheduled', ...delivery } }))
  const evening = ['2027-03-10T02:00:00Z', '2027-03-10T04:30:00Z']

  test.each<[string, object, string]>([
    ['without a window', { date: '2027-03-09' }, 'delivery.window'],
    ['with neither', {}, 'delivery.window'],
    ['whose window is null', { date: '2027-03-09', window: null }, 'delivery.window'],
    ['whose window ends as it begins', { window: [evening[0], evening[0]] }, 'delivery.window'],
    ['whose window ends before it begins', { window: evening.toReversed() }, 'delivery.window'],
    ['whose day is not the window’s', { date: '2027-12-22', window: evening }, 'delivery.date'],
    ['whose day is that of the window in UTC', { date: '2027-03-10', window: evening }, 'delivery.date'],
  ])('%s is refused', async (_name, delivery, path) => {
    const answer = await scheduled(delivery)
    expect([answer.status, Object.keys(answer.refusal.errors)]).toEqual([400, [path]])
  })

  test('has the day on which its window begins by the shop’s clock', async () => {
    const tokyo = await desk.openShop('shop-tokyo', 'Asia/Tokyo')
    for (const [to, date] of [
      [shop.key, '2027-03-09'],
      [tokyo.key, '2027-03-10'],
    ] as const)
      for (const given of [{}, { date: null }, { date }]) {
        const { status, body } = await scheduled({ ...given, window: evening }, to)
        expect([status, body.delivery.date]).toEqual([201, date])
        expect(body.on_track_status?.deadline_at).toBe('2027-03-10T04:30:00.000Z')
      }
  })
})
