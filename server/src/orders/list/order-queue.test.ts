import { readFile } from 'node:fs/promises'
import { queueNamesAtMost, type Queue } from '@cellarhand/contract/live'
import type { DueClass } from '@cellarhand/contract/on-track'
import type { Order } from '@cellarhand/contract/orders'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTurnableDesk, type Shop, type TurnableDesk } from '../../../test/desk.ts'
import { listen, type EventReader } from '../../../test/event-reader.ts'
import { followLink, readPage } from '../../../test/list-model.ts'
import { takeStep } from '../../../test/order-steps.ts'
import { anItem } from '../../../test/orders.ts'

const migration = new URL('../../../migrations/0094-first-day-to-leave.sql', import.meta.url)

let desk: TurnableDesk
let shop: Shop
const readers: EventReader[] = []
beforeAll(async () => {
  desk = await openTurnableDesk()
})
beforeEach(async () => {
  shop = await desk.openShop()
})
afterAll(async () => {
  for (const reader of readers) await reader.cut()
  await desk.stop()
})

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const at = (ms: number) => new Date(desk.clock.nowMs() + ms).toISOString()

/** A local order with so much time left. */
const local = (leftMs: number) => ({
  delivery: { method: 'scheduled', window: [at(leftMs - hourMs), at(leftMs)] },
})
/** A parcel is due at the same time of the next business day. */
const parcel = (submittedMs: number) => ({
  delivery: { method: 'shipped' },
  date_submitted: at(submittedMs),
})
const ids = (orders: readonly { id: string }[]) => orders.map(({ id }) => id)

/** Days pass, and with them every session. */
async function turnDays(ms: number): Promise<void> {
  await desk.turn(ms)
  shop = { ...shop, member: await desk.addPerson(shop.key, 'merch.user') }
}

async function queue(): Promise<Queue> {
  const { body } = await desk.call('GET /m/v2/merchant/{tmk}/orders/queue', {
    as: shop.member,
    params: { tmk: shop.key },
  })
  return body
}

async function page(due: DueClass, query: Record<string, string | number> = { 'sort[due]': 'asc' }) {
  const { body } = await readPage(desk, shop, { 'filter[tab]': 'active', 'filter[due]': due, ...query })
  return body
}

test('LIST-026 GAP-85 late and soon due are the classes of the badge, counted and listed by due time', async () => {
  const made: Order[] = []
  for (const left of [-90, -1, 5, 29, 31, 120, 400]) made.push(await desk.order(shop, local(left * minuteMs)))
  const late = await desk.order(shop, parcel(-9 * 24 * hourMs))
  // Its warning time is four hours, wherever the weekend lies.
  const dueMs = Date.parse((await desk.order(shop, parcel(0))).on_track_status?.deadline_at ?? '')
  const parcelLeftMs = dueMs - desk.clock.nowMs()
  const soon = await desk.order(shop, parcel(0))
  await turnDays(parcelLeftMs - 3 * hourMs)
  const after = (await readPage(desk, shop, { 'filter[tab]': 'active', limit: 100 })).body.items
  const classes = (type: string) => after.filter(({ on_track_status: badge }) => badge?.type === type)
  expect(ids(classes('SLA1'))).toContain(soon.id)
  expect(ids(classes('SLA2'))).toContain(late.id)
  const byDue = (orders: readonly Order[]) =>
    ids(
      orders.toSorted((a, b) =>
        (a.on_track_status?.deadline_at ?? '') < (b.on_track_status?.deadline_at ?? '') ? -1 : 1,
      ),
    )
  expect(ids((await page('late')).items)).toEqual(byDue(classes('SLA2')))
  expect(ids((await page('soon')).items).toSorted()).toEqual(ids(classes('SLA1')).toSorted())
  const { late: isLate, soon: isSoon } = await queue()
  expect([isLate, isSoon]).toEqual([classes('SLA2').length, classes('SLA1').length])
  expect((await page('late')).filters.available.due).toEqual({ late: isLate, soon: isSoon })
  expect((await page('late')).total_rows).toBe(isLate)
  expect(made.length + 3).toBe(after.length)
})

test('late, due_soon and sort=due are further names of the classes and of the sequence by due time', async () => {
  for (const left of [-90, -1, 5, 29, 120]) await desk.order(shop, local(left * minuteMs))
  const named = async (query: Record<string, string>) =>
    readPage(desk, shop, { 'filter[tab]': 'active', ...query })
  for (const [name, due] of [
    ['late', 'late'],
    ['due_soon', 'soon'],
  ] as const) {
    const { body } = await named({ [`filter[${name}]`]: 'true', sort: 'due', limit: '1' })
    const [one, same] = [body, await page(due, { 'sort[due]': 'asc', limit: 1 })]
    expect(one).toEqual(same)
    expect(one.total_rows).toBe(2)
    expect(one.filters.available[name]).toEqual({ count: 2 })
    const next = await followLink(desk, shop.member, one.next_url)
    expect([...ids(one.items), ...ids(next.items)]).toEqual(ids((await page(due)).items))
  }
  for (const more of [{ 'filter[due]': 'late' }, { 'filter[due_soon]': 'true' }]) {
    const refused = await named({ 'filter[late]': 'true', ...more })
    expect(refused.status).toBe(400)
    expect(refused.body).toMatchObject({ code: 'validation_failed' })
  }
  // A refusal names what the caller wrote.
  const elsewhere = { 'filter[tab]': 'completed' }
  for (const [name, query] of [
    ['sort', { sort: 'due', 'sort[date]': 'asc' }],
    ['sort', { sort: 'due', ...elsewhere }],
    ['filter[late]', { 'filter[late]': 'true', ...elsewhere }],
    ['filter[due_soon]', { 'filter[due_soon]': 'true', ...elsewhere }],
  ] as const) {
    const { status, body } = await named(query)
    expect(status).toBe(400)
    expect(body).toMatchObject({ errors: { [name]: expect.any(String) as string } })
  }
})

test('the clock alone moves an order from later to soon due and to late, to the millisecond, on every open screen', async () => {
  const order = await desk.order(shop, local(2 * hourMs))
  const reader = await listen(desk, { key: shop.key, as: shop.member })
  readers.push(reader)
  const told = (late: number, soon: number) =>
    desk.later(() => {
      const newest = reader.events.findLast(({ event }) => event === 'queue')?.data as Queue | undefined
      expect(newest).toMatchObject({ late, soon, decide: [order.id] })
    })
  await told(0, 0)
  const leftMs = () => Date.parse(order.on_track_status?.deadline_at ?? '') - desk.clock.nowMs()
  await desk.turn(leftMs() - 31 * minuteMs)
  expect(await queue()).toMatchObject({ late: 0, soon: 0 })
  await desk.turn(minuteMs)
  await told(0, 1)
  expect(ids((await page('soon')).items)).toEqual([order.id])
  await desk.turn(30 * minuteMs)
  await told(1, 0)
  expect(ids((await page('late')).items)).toEqual([order.id])
  expect(ids((await page('soon')).items)).toEqual([])
})

test('an order that is out for delivery is in no class, and one that a clerk decides leaves the decisions', async () => {
  const first = await desk.order(shop, local(-20 * minuteMs))
  const second = await desk.order(shop, local(10 * minuteMs))
  expect(await queue()).toEqual({
    late: 1,
    soon: 1,
    decide: [first.id, second.id],
    do: [],
    undecided: 2,
    slips: 2,
  })
  expect((await takeStep(desk, shop, { order: first, step: 'accept' })).status).toBe(200)
  expect(await queue()).toEqual({
    late: 1,
    soon: 1,
    decide: [second.id],
    do: [first.id],
    undecided: 1,
    slips: 2,
  })
  expect((await takeStep(desk, shop, { order: first, step: 'send_out' })).status).toBe(200)
  expect(await queue()).toEqual({ late: 0, soon: 1, decide: [second.id], do: [], undecided: 1, slips: 1 })
  expect(ids((await page('late')).items)).toEqual([])
})

test('next to do is what can leave the shop now: no presale before its day', async () => {
  const day = (days: number) => at(days * 24 * hourMs).slice(0, 10)
  const presale = (available: string) => ({
    delivery: { method: 'preorder' },
    items: [
      {
        id: 'a',
        name: 'Vintage Port',
        quantity: 1,
        price: 80,
        subtotal: 80,
        aux_data: { preorder_available_date: available },
      },
    ],
    transaction: { subtotal: 80, total: 80 },
  })
  const waits = await desk.order(shop, presale(day(12)))
  const ready = await desk.order(shop, parcel(0))
  for (const order of [waits, ready]) await takeStep(desk, shop, { order, step: 'accept' })
  expect((await queue()).do).toEqual([ready.id])
  await turnDays(3 * 24 * hourMs)
  expect((await queue()).do.toSorted()).toEqual([ready.id, waits.id].toSorted())
})

test('an order that a courier is on the way for is not next to do, until the courier is cancelled', async () => {
  const order = await desk.order(shop, { ...local(90 * minuteMs), courier_estimate_id: 'est-1' })
  const other = await desk.order(shop, local(100 * minuteMs))
  for (const each of [order, other]) await takeStep(desk, shop, { order: each, step: 'accept' })
  expect((await queue()).do).toEqual([order.id, other.id])
  expect((await takeStep(desk, shop, { order, step: 'request_courier' })).status).toBe(200)
  expect((await queue()).do).toEqual([other.id])
  expect((await takeStep(desk, shop, { order, step: 'cancel_courier' })).status).toBe(200)
  expect((await queue()).do).toEqual([order.id, other.id])
})

test('next to do is found behind more orders that wait for a courier, or for their day, than the queue names', async () => {
  const day = at(12 * 24 * hourMs).slice(0, 10)
  const presale = { aux_data: { preorder_available_date: day } }
  const waiting: Order[] = []
  for (let n = 0; n < queueNamesAtMost; n++) {
    const ways = [
      { ...local(80 * minuteMs), courier_estimate_id: 'est-1' },
      { ...local(80 * minuteMs), items: [anItem(presale)] },
    ]
    waiting.push(await desk.order(shop, ways[n % 2]))
  }
  const last = await desk.order(shop, local(90 * minuteMs))
  for (const order of [...waiting, last]) await takeStep(desk, shop, { order, step: 'accept' })
  for (const order of waiting.filter((_, n) => n % 2 === 0))
    expect((await takeStep(desk, shop, { order, step: 'request_courier' })).status).toBe(200)
  expect((await queue()).do).toEqual([last.id])
  const days = async () =>
    (await desk.owner.query(`select order_id, leaves_from::text from orders order by order_id`)).rows
  const written = await days()
  await desk.owner.query(`update orders set leaves_from = '-infinity'`)
  // As for the orders of an earlier release.
  await desk.owner.query(await readFile(migration, 'utf8'))
  expect(await days()).toEqual(written)
  await turnDays(3 * 24 * hourMs)
  expect((await queue()).do).toHaveLength(queueNamesAtMost / 2 + 1)
})

test('a class takes the other filters, every sort and both links along', async () => {
  const made: Order[] = []
  for (let minutes = 1; minutes <= 35; minutes++)
    made.push(
      await desk.order(shop, minutes % 7 === 0 ? parcel(-9 * 24 * hourMs) : local(-minutes * minuteMs)),
    )
  const first = await page('late')
  expect([first.items.length, first.total_rows]).toEqual([30, 35])
  const second = await followLink(desk, shop.member, first.next_url)
  expect(second.items).toHaveLength(5)
  expect(ids([...first.items, ...second.items]).toSorted()).toEqual(ids(made).toSorted())
  const back = await followLink(desk, shop.member, second.prev_url)
  expect(ids(back.items)).toEqual(ids(first.items))
  const parcels = await page('late', { 'filter[delivery_method]': 'shipped', 'sort[date]': 'asc' })
  expect(ids(parcels.items)).toEqual(ids(made.filter(({ delivery }) => delivery.method === 'shipped')))
  expect([parcels.total_rows, parcels.filters.available.due]).toEqual([5, { late: 5, soon: 0 }])
  expect(parcels.filters.available.status.options).toMatchObject([{ value: 'new', count: 5 }])
  const byDate = await page('late', { 'sort[date]': 'desc' })
  const last = await followLink(desk, shop.member, byDate.next_url)
  expect([...ids(byDate.items), ...ids(last.items)].toSorted()).toEqual(ids(made).toSorted())
  const one = { 'filter[order_key]': made[0]?.thirstie_logistic_order_ref ?? '' }
  expect(ids((await page('late', one)).items)).toEqual([made[0]?.id])
  expect(ids((await page('soon', one)).items)).toEqual([])
})

test.each([
  { 'filter[due]': 'late' },
  { 'filter[due]': 'late', 'filter[tab]': 'completed' },
  { 'filter[due]': 'late', 'filter[tab]': 'active', 'filter[needs_a_look]': 'true' },
  { 'filter[due]': 'later', 'filter[tab]': 'active' },
])('a class that nobody counts is refused at its field: %o', async (query) => {
  const search = new URLSearchParams(query as Record<string, string>).toString()
  const answer = await desk.send('GET', `/m/v2/merchant/${shop.key}/orders/optimized?${search}`, {
    as: shop.member,
  })
  expect([answer.status, Object.keys(answer.refusal.errors)]).toEqual([400, ['filter[due]']])
})

test('another shop sees nothing of it', async () => {
  await desk.order(shop, local(-20 * minuteMs))
  const other = await desk.openShop()
  const own = await desk.call('GET /m/v2/merchant/{tmk}/orders/queue', {
    as: other.member,
    params: { tmk: other.key },
  })
  expect(own.body).toEqual({ late: 0, soon: 0, decide: [], do: [] })
  const foreign = await desk.send('GET', `/m/v2/merchant/${shop.key}/orders/queue`, { as: other.member })
  expect([403, 404]).toContain(foreign.status)
})
