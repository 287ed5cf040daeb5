import type { AlarmKind, Alarms } from '@cellarhand/contract/live'
import type { Order } from '@cellarhand/contract/orders'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { cleanUp } from '#platform/upkeep/clean-up.ts'
import { openDesk, type Desk, type Shop } from '../../../test/desk.ts'
import { listen, type EventReader } from '../../../test/event-reader.ts'
import { orderIn, takeStep } from '../../../test/order-steps.ts'

let desk: Desk
let second: Desk
let shop: Shop
const readers: EventReader[] = []

beforeAll(async () => {
  desk = await openDesk()
  second = await desk.another()
})
beforeEach(async () => {
  shop = await desk.openShop()
})
afterAll(async () => {
  for (const reader of readers) await reader.cut()
  await desk.stop()
})

async function open(at: Desk = desk): Promise<EventReader> {
  const reader = await listen(at, { key: shop.key, as: shop.member })
  readers.push(reader)
  return reader
}

/** The ringing alarms of the newest matching event: "new 1000001" for each, in sequence. */
async function rings(reader: EventReader, wanted: readonly string[]): Promise<Alarms> {
  const ringing = (data: unknown) => (data as Alarms).items.map(({ kind, order_id }) => `${kind} ${order_id}`)
  const event = await reader.next(
    (each) => each.event === 'alarms' && JSON.stringify(ringing(each.data)) === JSON.stringify(wanted),
  )
  return event.data as Alarms
}

const acknowledge = (at: Desk, alarms: { order_id: string; kind: AlarmKind }[], as = shop.member) =>
  at.call('POST /m/v2/merchant/{tmk}/alarms/acknowledge', { as, params: { tmk: shop.key }, body: { alarms } })

test('a new order rings on every screen, at every server, until one of them acknowledges it', async () => {
  const [here, there] = [await open(desk), await open(second)]
  await rings(here, [])
  const order = await desk.order(shop)
  for (const reader of [here, there]) {
    const { items } = await rings(reader, [`new ${order.id}`])
    expect(Math.abs(Date.now() - Date.parse(items[0]?.raised_at ?? ''))).toBeLessThan(60_000)
  }
  const late = await open(second)
  await rings(late, [`new ${order.id}`])
  const { body } = await acknowledge(second, [{ order_id: order.id, kind: 'new' }])
  expect(body.acknowledged).toBe(1)
  const asked = await desk.call('GET /m/v2/merchant/{tmk}/alarms', {
    as: shop.member,
    params: { tmk: shop.key },
  })
  expect(asked.body).toEqual({
    total: 0,
    cancelled: 0,
    items: [],
    due: { late: 0, soon: 0, items: [] },
    asked: { total: 0, items: [] },
    is_quiet: false,
  })
  await Promise.all([here, there, late].map(quietAgain))
  const again = await acknowledge(desk, [{ order_id: order.id, kind: 'new' }])
  expect(again.body.acknowledged).toBe(0)
  const { rows } = await desk.owner.query(
    `select a.ended_by = u.first_name || ' ' || u.last_name as known from order_alarms a, users u where a.order_id = $1 and u.user_id = $2`,
    [order.id, shop.member.id],
  )
  expect(rows).toEqual([{ known: true }])
})

/** Resolves when the newest event about alarms is empty. */
async function quietAgain(reader: EventReader): Promise<void> {
  const newest = () => reader.events.findLast(({ event }) => event === 'alarms')?.data as Alarms | undefined
  await reader.next(() => newest()?.total === 0)
}

test('only named alarms end: an order that came in meanwhile keeps ringing', async () => {
  const reader = await open()
  const first = await desk.order(shop)
  await rings(reader, [`new ${first.id}`])
  const second = await desk.order(shop)
  await acknowledge(desk, [{ order_id: first.id, kind: 'new' }])
  await rings(reader, [`new ${second.id}`])
})

test.each([
  ['accept', []],
  ['reject', []],
  ['cancel', ['cancelled']],
] as const)('whoever takes an order further ends its alarm: %s', async (step, left) => {
  const reader = await open()
  const order = await desk.order(shop)
  await rings(reader, [`new ${order.id}`])
  const { status } = await takeStep(desk, shop, { order, step })
  expect(status).toBe(200)
  if (left.length === 0) await quietAgain(reader)
  else
    await rings(
      reader,
      left.map((kind) => `${kind} ${order.id}`),
    )
})

test('an order cancelled after its accept rings with its own kind', async () => {
  const reader = await open()
  const order = await desk.order(shop)
  await takeStep(desk, shop, { order, step: 'accept' })
  await takeStep(desk, shop, { order, step: 'cancel' })
  await rings(reader, [`cancelled ${order.id}`])
  await acknowledge(second, [{ order_id: order.id, kind: 'new' }])
  await acknowledge(second, [{ order_id: order.id, kind: 'cancelled' }])
  await quietAgain(reader)
})

test('an order that starts again with corrected lines rings again', async () => {
  const order = await orderIn(desk, shop, { status: 'REJECTED_PARTIAL' })
  const reader = await open()
  await rings(reader, [])
  await takeStep(desk, shop, { order, step: 'resume' })
  await rings(reader, [`new ${order.id}`])
})

test('nobody hears or ends the alarms of another merchant', async () => {
  const other = await desk.openShop()
  const reader = await open()
  const foreign = await desk.order(other)
  const own = await desk.order(shop)
  await rings(reader, [`new ${own.id}`])
  expect(JSON.stringify(reader.events)).not.toContain(foreign.id)
  const own2 = await acknowledge(desk, [
    { order_id: foreign.id, kind: 'new' },
    { order_id: own.id, kind: 'cancelled' },
  ])
  expect(own2.body.acknowledged).toBe(0)
  const denied = await acknowledge(desk, [{ order_id: own.id, kind: 'new' }], other.owner)
  expect(denied.status).toBe(403)
  const { rows } = await desk.owner.query('select order_id from order_alarms where ended_at is null')
  expect(rows.map(({ order_id }: { order_id: string }) => order_id)).toEqual(
    expect.arrayContaining([foreign.id, own.id]),
  )
})

test('an order refused for its form never rings, and one sent twice rings once', async () => {
  const order: Order = await desk.order(shop)
  await desk
    .order(shop, { thirstie_logistic_order_ref: order.thirstie_logistic_order_ref })
    .catch(() => undefined)
  const { rows } = await desk.owner.query('select kind from order_alarms where merchant_id = $1', [shop.key])
  expect(rows).toEqual([{ kind: 'new' }])
})

test('more than two hundred alarms come two hundred at a time, oldest first', async () => {
  await desk.owner.query(
    `insert into order_alarms (merchant_id, order_id, kind, raised_at)
     select $1, n::text, 'new', now() - (500 - n) * interval '1 s' from generate_series(1, 250) n`,
    [shop.key],
  )
  const reader = await open()
  const named = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, i) => `new ${from + i}`)
  const { total, items } = await rings(reader, named(1, 200))
  expect(total).toBe(250)
  await acknowledge(
    desk,
    items.map(({ order_id, kind }) => ({ order_id, kind })),
  )
  await rings(reader, named(201, 250))
})

test('a cancellation is named before any number of new orders, and each kind is counted', async () => {
  await desk.owner.query(
    `insert into order_alarms (merchant_id, order_id, kind, raised_at)
     select $1, n::text, 'new', now() - (500 - n) * interval '1 s' from generate_series(1, 205) n
     union all select $1, n::text, 'cancelled', now() - (500 - n) * interval '1 s' from generate_series(301, 302) n`,
    [shop.key],
  )
  const first = ['cancelled 301', 'cancelled 302', ...Array.from({ length: 198 }, (_, i) => `new ${i + 1}`)]
  const { total, cancelled } = await rings(await open(), first)
  expect([total, cancelled]).toEqual([207, 2])
})

test('an alarm that nobody noticed for a week goes with the clean-up', async () => {
  await desk.owner.query(
    `insert into order_alarms (merchant_id, order_id, kind, raised_at) values ($1, '1', 'new', now() - interval '8 days'), ($1, '2', 'new', now() - interval '6 days')`,
    [shop.key],
  )
  await cleanUp(desk.app.db, desk.upkeep)
  const { rows } = await desk.owner.query('select order_id from order_alarms where merchant_id = $1', [
    shop.key,
  ])
  expect(rows).toEqual([{ order_id: '2' }])
})
