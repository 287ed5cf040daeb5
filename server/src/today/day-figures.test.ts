import type { Order } from '@cellarhand/contract/orders'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayIn } from '#platform/clock/zoned-time.ts'
import { planOf, sentDuring } from '../../test/database/statement-plans.ts'
import { openDesk, type Desk, type Person, type Shop } from '../../test/desk.ts'
import { counterOf, courierOrder, orderIn, takeStep, type Step } from '../../test/order-steps.ts'
import { onDemand } from '../../test/orders.ts'

let desk: Desk
let shop: Shop
const day = '2026-10-14'
/** New York is four hours behind UTC on that day. */
const at = (time: string) => new Date(`${day}T${time}:00-04:00`).toISOString()

beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
})
afterAll(async () => desk.stop())

const figuresOf = async (of: Shop, query: { day?: string } = { day }, as: Person = of.member) =>
  desk.call('GET /m/v2/merchant/{tmk}/today', { as, params: { tmk: of.key }, query })
const clerksOf = async (of: Shop, as: Person, tmk = of.key) =>
  desk.call('GET /m/v2/merchant/{tmk}/today/clerks', { as, params: { tmk }, query: { day } })

type Steps = readonly (readonly [step: Step, minutes: number])[]

/** Takes the steps, each at so many minutes after the order was received. */
async function live(of: Shop, order: Order, steps: Steps): Promise<void> {
  let current = order
  for (const [step, minutes] of steps) {
    const answer = await takeStep(desk, of, { order: current, step })
    if (answer.status !== 200) throw new Error(`${step} was refused: ${answer.text}`)
    current = answer.body
    await desk.owner.query(
      `update order_history h set at = o.submitted_at + $3 * interval '1 minute'
       from orders o where o.order_id = $1 and h.order_id = $1 and h.version = $2`,
      [order.id, current.version, minutes],
    )
  }
}

const received = (of: Shop, time: string, changes: object = onDemand) =>
  desk.order(of, { ...changes, date_submitted: at(time) })

test('a day has its orders by hour, what became of them and how long each step took', async () => {
  await live(shop, await received(shop, '10:05'), [
    ['accept', 2],
    ['send_out', 30],
    ['deliver', 50],
  ])
  await live(shop, await received(shop, '10:59'), [
    ['accept', 4],
    ['send_out', 40],
    ['deliver', 60],
  ])
  const late = await received(shop, '12:00')
  await live(shop, late, [
    ['accept', 90],
    ['send_out', 100],
    ['deliver', 155],
  ])
  await live(shop, await received(shop, '12:30'), [['reject', 3]])
  const other = await received(shop, '12:31')
  const words = '=cmd|"<b>", the last one broke 🍾'
  await counterOf(desk, { key: shop.key, as: shop.member }, other).reject({
    reason: { code: 'other', value: words },
  })
  await live(shop, await received(shop, '12:40'), [
    ['accept', 6],
    ['cancel', 8],
  ])
  await live(shop, await received(shop, '13:10', { delivery: { method: 'shipped' } }), [
    ['accept', 1],
    ['save_tracking', 20],
  ])
  const { status, body } = await figuresOf(shop)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    day,
    timezone: 'America/New_York',
    from: at('00:00'),
    orders: 7,
    accepted: 4,
    waiting: 0,
    rejected: 2,
    cancelled: 1,
    late: 1,
    open: 0,
    late_open: 0,
    // Of 1, 2, 4, 6 and 90 minutes, and of 20, 30, 40 and 100.
    to_accept: { median: 4, p95: 73.2 },
    to_hand_over: { median: 35, p95: 91 },
    reasons: [
      { code: 'other', text: words, count: 1 },
      { code: 'store_closed', text: null, count: 1 },
    ],
    late_orders: [{ id: late.id, is_open: false, late_minutes: 35, cause: 'accepted_late', n: 90 }],
  })
  expect(body.hours.map(({ at: hour, orders, rejected, late: n }) => [hour, orders, rejected, n])).toEqual([
    [at('10:00'), 2, 0, 0],
    [at('11:00'), 0, 0, 0],
    [at('12:00'), 4, 2, 1],
    [at('13:00'), 1, 0, 0],
  ])
  expect(body.hours[1]?.to_accept).toEqual({ median: null, p95: null })
})

test('the outcomes of all orders add up to them, in the day and in each hour', async () => {
  const mixed = await desk.openShop()
  const statuses = [
    'SUBMITTED',
    'MERCHANT_ACCEPTED',
    'PAYMENT_DECLINED',
    'MERCHANT_SHIPPED',
    'CLOSED',
    'REJECTED_PARTIAL',
    'MERCHANT_REJECTED',
    'CANCELLED',
    'DISPUTED',
    'REFUNDED',
  ] as const
  for (const [index, status] of statuses.entries())
    await orderIn(desk, mixed, { status, date_submitted: at(`1${index % 4}:00`) })
  const { body } = await figuresOf(mixed)
  expect(body).toMatchObject({
    orders: 10,
    accepted: 5,
    waiting: 1,
    held: 1,
    rejected: 1,
    cancelled: 2,
    open: 2,
    on_hold: 3,
  })
  const sumOf = (row: typeof body | (typeof body.hours)[number]) =>
    row.accepted + row.waiting + row.held + row.rejected + row.cancelled
  for (const row of [body, ...body.hours]) expect(sumOf(row)).toBe(row.orders)
  for (const name of ['orders', 'accepted', 'rejected', 'cancelled', 'late'] as const)
    expect([name, body.hours.reduce((sum, hour) => sum + hour[name], 0)]).toEqual([name, body[name]])
})

test('every late order says what holds it up, the open ones first', async () => {
  const busy = await desk.openShop()
  const causeOf = new Map<string, string>()
  const add = async (
    cause: string,
    steps: readonly (readonly [Step, number])[],
    changes: object = onDemand,
  ) => {
    const order = await received(busy, '15:00', changes)
    await live(busy, order, steps)
    causeOf.set(order.id, cause)
  }
  const parcel = { delivery: { method: 'shipped' } }
  const away = ['send_out', 20] as const
  await add('not_accepted', [])
  await add('at_the_counter', [['accept', 1]])
  await add('waiting_for_label', [['accept', 1]], parcel)
  await add('on_the_road', [['accept', 1], away])
  await add('brought_back', [['accept', 1], away, ['bring_back', 60]])
  await add('took_long', [['accept', 1], away, ['deliver', 130]])
  await add('was_on_hold', [
    ['accept', 1],
    ['decline_payment', 2],
    ['approve_payment', 90],
    away,
    ['deliver', 150],
  ])
  const courier = await courierOrder(desk, busy, 'delivered')
  await desk.owner.query('update orders set submitted_at = $2, deadline_at = $3 where order_id = $1', [
    courier.id,
    at('15:00'),
    at('17:00'),
  ])
  await live(busy, courier, [['request_courier', 5]])
  causeOf.set(courier.id, 'waiting_for_courier')
  const lost = await courierOrder(desk, busy, 'delivered')
  await desk.owner.query('update orders set submitted_at = $2, deadline_at = $3 where order_id = $1', [
    lost.id,
    at('15:00'),
    at('17:00'),
  ])
  await live(busy, lost, [
    ['request_courier', 5],
    ['cancel_courier', 9],
  ])
  causeOf.set(lost.id, 'courier_lost')
  const { body } = await figuresOf(busy)
  expect(Object.fromEntries(body.late_orders.map(({ id, cause }) => [id, cause]))).toEqual(
    Object.fromEntries(causeOf),
  )
  expect([body.late, body.late_open]).toEqual([causeOf.size, causeOf.size - 2])
  expect(body.late_orders.map(({ is_open: isOpen }) => isOpen)).toEqual([
    ...Array.from({ length: causeOf.size - 2 }, () => true),
    false,
    false,
  ])
  expect(body.late_orders.slice(-2).map(({ late_minutes: minutes }) => minutes)).toEqual([30, 10])
})

test('voided labels and a second way to the customer count by the last hand-over', async () => {
  const again = await desk.openShop()
  await live(again, await received(again, '09:00'), [
    ['accept', 1],
    ['send_out', 10],
    ['bring_back', 30],
    ['send_out', 50],
  ])
  await live(again, await received(again, '11:00'), [
    ['accept', 1],
    ['send_out', 10],
    ['bring_back', 30],
  ])
  const { body } = await figuresOf(again)
  expect(body.hours.map(({ to_hand_over: spread }) => spread.median)).toEqual([50, null, null])
})

test('a day begins and ends at the shop’s own midnight, and keeps the hour that a clock change repeats', async () => {
  const west = await desk.openShop(undefined, 'America/Los_Angeles')
  const send = (moment: string) => desk.order(west, { date_submitted: moment })
  await send('2026-10-14T06:59:59.999Z')
  await send('2026-10-14T07:00:00.000Z')
  await send('2026-10-15T06:59:59.999Z')
  await send('2026-10-15T07:00:00.000Z')
  const ordersOn = async (some: string) => (await figuresOf(west, { day: some })).body.orders
  expect(await Promise.all(['2026-10-13', '2026-10-14', '2026-10-15'].map(ordersOn))).toEqual([1, 2, 1])
  // On the 1st of November the clocks show 1 AM twice.
  await send('2026-11-01T08:30:00.000Z')
  await send('2026-11-01T09:30:00.000Z')
  const { body } = await figuresOf(west, { day: '2026-11-01' })
  expect([body.from, body.until]).toEqual(['2026-11-01T07:00:00.000Z', '2026-11-02T08:00:00.000Z'])
  expect(body.hours.map(({ at: hour, orders }) => [hour, orders])).toEqual([
    ['2026-11-01T08:00:00.000Z', 1],
    ['2026-11-01T09:00:00.000Z', 1],
  ])
})

test('without a day it is the shop’s current one; a day without orders is empty, and no day is refused in words', async () => {
  const fresh = await desk.openShop(undefined, 'Pacific/Honolulu')
  const today = () => dayIn(Date.now(), 'Pacific/Honolulu')
  const possible = [today()]
  const { body } = await figuresOf(fresh, {})
  possible.push(today())
  expect(possible).toContain(body.day)
  expect(body).toMatchObject({ orders: 0, late: 0, hours: [], reasons: [], late_orders: [] })
  expect(body.to_accept).toEqual({ median: null, p95: null })
  for (const wrong of [
    '2026-02-30',
    '2026-13-01',
    'yesterday',
    '2026-1-1',
    "2026-10-14'; drop table orders",
  ]) {
    const { status, refusal } = await figuresOf(fresh, { day: wrong })
    expect([wrong, status, Object.keys(refusal.errors)]).toEqual([wrong, 400, ['day']])
  }
})

test('GAP-163 figures by clerk are for managers and owners, and no figures are for another merchant', async () => {
  const team = await desk.openShop()
  const accept = async (as: Person, time: string, minutes: number) =>
    live({ ...team, member: as }, await received(team, time), [['accept', minutes]])
  await accept(team.member, '10:00', 2)
  await accept(team.member, '10:10', 6)
  await accept(team.owner, '10:20', 9)
  for (const as of [team.manager, team.owner]) {
    const { body } = await clerksOf(team, as)
    expect(body.clerks.map(({ id, decided, median, late }) => [id, decided, median, late])).toEqual([
      [team.member.id, 2, 4, 2],
      [team.owner.id, 1, 9, 1],
    ])
  }
  expect((await clerksOf(team, team.member)).status).toBe(403)
  expect((await clerksOf(team, shop.owner)).status).toBe(403)
  expect((await figuresOf(team, { day }, shop.owner)).status).toBe(403)
  expect((await figuresOf(team)).text).not.toContain(team.member.id)
})

test('each clerk has the orders that they accepted and rejected first, with median and 95th percentile of each step', async () => {
  const team = await desk.openShop()
  const steps = async (as: Person, time: string, taken: Steps) =>
    live({ ...team, member: as }, await received(team, time), taken)
  await steps(team.member, '10:00', [
    ['accept', 2],
    ['send_out', 20],
  ])
  await steps(team.member, '10:10', [
    ['accept', 6],
    ['send_out', 40],
    ['deliver', 50],
  ])
  // Brought back: not handed over.
  await steps(team.member, '10:20', [
    ['accept', 10],
    ['send_out', 15],
    ['bring_back', 30],
  ])
  await steps(team.member, '10:30', [['reject', 30]])
  // The clerk who accepted counts, and not the one who sent it out.
  const shared = await received(team, '10:40')
  await steps(team.owner, '10:50', [['reject', 5]])
  await live({ ...team, member: team.owner }, shared, [['accept', 4]])
  const { body: accepted } = await desk.call('GET /m/v2/orders/{id}', {
    as: team.member,
    params: { id: shared.id },
  })
  await live(team, accepted, [['send_out', 24]])
  const { body } = await clerksOf(team, team.manager)
  expect(body.clerks).toMatchObject([
    {
      id: team.member.id,
      decided: 4,
      accepted: 3,
      rejected: 1,
      // Of 2, 6, 10 and the rejection's 30 minutes.
      median: 8,
      to_accept: { median: 6, p95: 9.6 },
      to_hand_over: { median: 30, p95: 39 },
    },
    {
      id: team.owner.id,
      decided: 2,
      accepted: 1,
      rejected: 1,
      median: 4.5,
      to_accept: { median: 4, p95: 4 },
      to_hand_over: { median: 24, p95: 24 },
    },
  ])
})

test('a clerk who only rejected has no times to accept', async () => {
  const team = await desk.openShop()
  await live(team, await received(team, '10:00'), [['reject', 3]])
  const { body } = await clerksOf(team, team.owner)
  const none = { median: null, p95: null }
  expect(body.clerks).toMatchObject([
    { decided: 1, accepted: 0, rejected: 1, median: 3, to_accept: none, to_hand_over: none },
  ])
})

test('the work follows the orders of the day, and not those of the shop', async () => {
  const big = await desk.openShop()
  for (const time of ['09:00', '10:00', '11:00']) await live(big, await received(big, time), [['accept', 1]])
  await desk.owner.query(
    `insert into orders (merchant_id, order_id, order_key, status, tab, display_group, delivery_method, application_ref, submitted_at, deadline_at, version, document)
     select $1, '7' || lpad(n::text, 9, '0'), 'old-' || n, 'CLOSED', 'completed', 'completed', 'shipped', '',
       '2026-09-01'::timestamptz + n * interval '1 minute', '2026-09-03', 1, '{}' from generate_series(1, 20000) n`,
    [big.key],
  )
  await desk.owner.query(
    `insert into order_history (merchant_id, order_id, version, at, action, to_status, actor_kind, actor_name)
     select $1, '7' || lpad(n::text, 9, '0'), v, '2026-09-01', 'submit', 'SUBMITTED', 'marketplace', 'x'
     from generate_series(1, 20000) n, generate_series(1, 3) v`,
    [big.key],
  )
  await desk.owner.query('analyze orders, order_history')
  const sent = await sentDuring(
    () => Promise.all([figuresOf(big), clerksOf(big, big.owner)]),
    // Other work of the server may read the history too.
    ({ text, values }) => text.includes('order_history') && values.includes(big.key),
  )
  expect(sent.length).toBe(2)
  for (const statement of sent) {
    const plan = await planOf(desk.owner, statement, { options: 'analyze, timing off' })
    expect(plan).toContain('using orders_of_all_tabs')
    expect(plan).not.toMatch(/Seq Scan on order/)
    // The three orders of the day, with two rows of history each; 60,000 rows of history stay unread.
    const rowsRead = [...plan.matchAll(/Scan using \w+ on order\w* .*actual.*rows=([\d.]+) loops=(\d+)/g)]
    expect(rowsRead.length).toBeGreaterThan(1)
    for (const [, rows, loops] of rowsRead) expect(Number(rows) * Number(loops)).toBeLessThanOrEqual(6)
  }
})
