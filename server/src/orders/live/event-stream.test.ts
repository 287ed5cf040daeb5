import { streamEvents } from '@cellarhand/contract/events'
import type { Order } from '@cellarhand/contract/orders'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openDesk, type Desk, type Shop } from '../../../test/desk.ts'
import { listen, type EventReader, type StreamEvent } from '../../../test/event-reader.ts'
import { takeStep } from '../../../test/order-steps.ts'

let desk: Desk
let second: Desk
let shop: Shop
beforeAll(async () => {
  desk = await openDesk()
  second = await desk.another()
})
beforeEach(async () => {
  shop = await desk.openShop()
})
afterAll(async () => desk.stop())

const open = async (at: Desk = desk, lastId?: string) =>
  listen(at, { key: shop.key, as: shop.member, lastId })
const isAbout = (id: string, kind?: string) => (event: StreamEvent) =>
  (event.data as { id?: string }).id === id && (kind === undefined || event.event === kind)
const ordersIn = (readers: readonly EventReader[]) =>
  readers.flatMap(({ events }) => events.filter(({ event }) => event.startsWith('order.')))

/** The shop's published events in sequence, which a dashboard must have received. */
async function published(): Promise<string[]> {
  const { rows } = await desk.owner.query<{ position: string }>(
    'select position::text from outbox where merchant_id = $1 and position is not null order by outbox.position',
    [shop.key],
  )
  return rows.map(({ position }) => position)
}

async function accept(order: Order): Promise<void> {
  const { status } = await takeStep(desk, shop, { order, step: 'accept' })
  expect(status).toBe(200)
}

test('LIST-038 LIST-002 GAP-81 a new order, its change and the counts are sent, with the fields that a list needs', async () => {
  const reader = await open()
  const first = await reader.next(({ event }) => event === 'counts')
  expect(first.data).toMatchObject({ active: 0, on_hold: 0, completed: 0, cancelled: 0 })
  const order = await desk.order(shop)
  const about = { id: order.id, thirstie_logistic_order_ref: order.thirstie_logistic_order_ref }
  const created = await reader.next(isAbout(order.id))
  expect(created).toMatchObject({
    event: 'order.created',
    data: { ...about, status: 'SUBMITTED', tab: 'active' },
  })
  await reader.next(({ event, data }) => event === 'counts' && (data as { active: number }).active === 1)
  await takeStep(desk, shop, { order, step: 'cancel' })
  const updated = await reader.next(isAbout(order.id, 'order.updated'))
  expect(updated.data).toEqual({ ...about, status: 'CANCELLED', tab: 'cancelled' })
  await reader.next(
    ({ event, data }) => event === 'counts' && (data as { cancelled: number }).cancelled === 1,
  )
  expect(Number(updated.id)).toBeGreaterThan(Number(created.id))
  await reader.cut()
})

test('GEN-007 another merchant’s events are never sent, not even to a dashboard that resumes from the beginning', async () => {
  const other = await desk.openShop()
  await desk.order(other)
  const reader = await open(desk, '0')
  const foreign = await desk.order(other)
  const own = await desk.order(shop)
  await reader.next(isAbout(own.id))
  expect(ordersIn([reader]).map(({ data }) => (data as { id: string }).id)).toEqual([own.id])
  expect(JSON.stringify(reader.events)).not.toContain(foreign.id)
  await reader.cut()
})

test('GAP-81 a connection that breaks again and again misses nothing and gets nothing twice, at whichever server', async () => {
  const orders = await desk.orders(shop, 40)
  let isBusy = true
  const changing = (async () => {
    for (const order of orders) await accept(order)
    isBusy = false
  })()
  const readers: EventReader[] = [await open(desk, '0')]
  while (isBusy) {
    const current = readers.at(-1)
    await new Promise((resolve) => setTimeout(resolve, 15))
    await current?.cut()
    readers.push(await open(readers.length % 2 === 0 ? desk : second, current?.lastId()))
  }
  await changing
  const last = await desk.order(shop)
  await readers.at(-1)?.next(isAbout(last.id))
  const heard = ordersIn(readers).map(({ id }) => id)
  expect(heard).toEqual(await published())
  expect(heard).toHaveLength(81)
  await readers.at(-1)?.cut()
})

test('GAP-81 a dashboard that returns too late has to reload, and gets all later events', async () => {
  const early = await open()
  const order = await desk.order(shop)
  await early.next(isAbout(order.id))
  const firstId = early.lastId()
  await accept(order)
  await early.next(isAbout(order.id, 'order.updated'))
  await early.cut()
  for (const kept of ['position > (select max(position) - 1 from outbox)', 'false']) {
    await desk.owner.query(`delete from outbox where not (${kept})`)
    const late = await open(desk, String(Number(firstId) - 1))
    const reload = await late.next(({ event }) => event === 'reload')
    expect(Number(reload.id)).toBeGreaterThan(Number(firstId))
    expect(ordersIn([late])).toEqual([])
    await late.cut()
  }
  const again = await open(desk, early.lastId())
  const next = await desk.order(shop)
  await again.next(isAbout(next.id))
  expect(again.events.some(({ event }) => event === 'reload')).toBe(false)
  await again.cut()
})

test('GAP-81 an invalid id starts now; one beyond all given ids comes from another desk, and reloads', async () => {
  for (const lastId of ['999999999999', 'x', '-1', '1e3']) {
    const reader = await open(desk, lastId)
    const order = await desk.order(shop)
    const { id } = await reader.next(isAbout(order.id))
    expect(ordersIn([reader])).toHaveLength(1)
    const reloads = reader.events.filter(({ event }) => event === 'reload')
    expect(reloads).toHaveLength(lastId === '999999999999' ? 1 : 0)
    for (const reload of reloads) expect(Number(reload.id)).toBeLessThan(Number(id))
    await reader.cut()
  }
})

test('GAP-81 a rolled-back change is never sent', async () => {
  const reader = await open()
  const order = await desk.order(shop)
  const holder = await desk.owner.connect()
  await holder.query('begin')
  await holder.query('lock table order_counts in access exclusive mode')
  const doomed = takeStep(desk, shop, { order, step: 'accept' })
  let killed = 0
  while (killed === 0) {
    const { rows } = await desk.owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where wait_event_type = 'Lock' and datname = current_database() and query ilike '%insert into order_counts%'`,
    )
    killed = rows.length
  }
  expect((await doomed).status).toBe(503)
  await holder.query('rollback')
  holder.release()
  const after = await desk.order(shop)
  await reader.next(isAbout(after.id))
  expect(reader.events.filter(isAbout(order.id)).map(({ event }) => event)).toEqual(['order.created'])
  const { rows } = await desk.owner.query(`select from outbox where payload->>'id' = $1`, [order.id])
  expect(rows).toHaveLength(1)
  await reader.cut()
})

test('GAP-81 two servers on one database send each other’s changes', async () => {
  const [here, there] = [await open(desk), await open(second)]
  const mine = await desk.order(shop)
  const theirs = await second.order(shop)
  for (const reader of [here, there]) {
    await reader.next(isAbout(mine.id))
    await reader.next(isAbout(theirs.id))
  }
  expect(ordersIn([here]).map(({ id }) => id)).toEqual(ordersIn([there]).map(({ id }) => id))
  await Promise.all([here.cut(), there.cut()])
})

test('LIST-002 after a burst the last sent counts are right', async () => {
  const reader = await open()
  await desk.orders(shop, 60)
  const last = await desk.order(shop)
  await reader.next(isAbout(last.id))
  await reader.next(({ event, data }) => event === 'counts' && (data as { active: number }).active === 61)
  const told = reader.events
    .filter(({ event }) => event === 'counts')
    .map(({ data }) => (data as { active: number }).active)
  expect(told).toEqual(told.toSorted((a, b) => a - b))
  await reader.cut()
})

test('GAP-81 events continue after the database has dropped every connection', async () => {
  const reader = await open()
  // A stream that is not fully open by then is closed, and its reader has to reconnect.
  const states = Object.keys(streamEvents).filter((name) => !/^(order\..*|reload|moved)$/.test(name))
  for (const state of states) await reader.next(({ event }) => event === state)
  await desk.owner
    .query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'cellarhand' and pid <> pg_backend_pid()`,
    )
    .catch(() => undefined)
  let order: Order | undefined
  while (order === undefined) order = await desk.order(shop).catch(() => undefined)
  await reader.next(isAbout(order.id))
  await reader.cut()
})

test('API-002 only the shop’s own staff can open the stream', async () => {
  const other = await desk.openShop()
  for (const [as, status] of [
    [other.owner, 403],
    [undefined, 401],
  ] as const) {
    const answer = await desk.call('GET /m/v2/merchant/{tmk}/events', { as, params: { tmk: shop.key } })
    expect(answer.status).toBe(status)
  }
})
