import type { Shift } from '@cellarhand/contract/today'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTurnableDesk, type Person, type Shop, type TurnableDesk } from '../../test/desk.ts'
import { anOrder } from '../../test/orders.ts'
import {
  counterOf,
  courierOrder,
  giveCourierAndParcel,
  orderIn,
  takeStep,
  twoItems,
} from '../../test/order-steps.ts'
import { askingOf, holdGin, stockGin } from '../../test/substitutes.ts'

let desk: TurnableDesk
let shop: Shop
beforeAll(async () => {
  desk = await openTurnableDesk()
  shop = await desk.openShop()
})
afterAll(async () => desk.stop())

const minuteMs = 60_000
const at = (ms: number) => new Date(desk.clock.nowMs() + ms).toISOString()
const local = (leftMs: number) => ({
  delivery: { method: 'scheduled', window: [at(leftMs - 60 * minuteMs), at(leftMs)] as [string, string] },
})
const read = async (of: Shop, as: Person = of.member, tmk = of.key) =>
  desk.call('GET /m/v2/merchant/{tmk}/shift', { as, params: { tmk } })
const ids = ({ orders }: Shift['late']) => orders.map(({ id }) => id)

test('a shift hands over what is open, late, soon due, without a label, in trouble, and who has it', async () => {
  const late = await desk.order(shop, local(-20 * minuteMs))
  const soon = await desk.order(shop, local(10 * minuteMs))
  const later = await desk.order(shop, local(300 * minuteMs))
  const parcel = await orderIn(desk, shop, { status: 'MERCHANT_ACCEPTED' })
  const held = await orderIn(desk, shop, { status: 'REJECTED_PARTIAL' })
  await orderIn(desk, shop, { status: 'CLOSED' })
  const failed = await orderIn(desk, shop, { status: 'MERCHANT_ACCEPTED' })
  await desk.owner.query(
    `insert into order_history (merchant_id, order_id, version, action, from_status, to_status, actor_kind, actor_name)
     select merchant_id, order_id, version + 1, 'label_failed', status, status, 'merchant', 'Ada' from orders where order_id = $1`,
    [failed.id],
  )
  const lost = await courierOrder(desk, shop, 'quick')
  await giveCourierAndParcel(desk, lost, 'ORDER_FAILED')
  await desk.owner.query('update orders set needs_look = true where order_id = $1', [later.id])
  for (const id of [late.id, held.id])
    await desk.call('PUT /m/v2/merchant/{tmk}/orders/{id}/taken', {
      as: shop.member,
      params: { tmk: shop.key, id },
      body: {},
    })
  const { body: shift } = await read(shop)
  expect([shift.open, shift.on_hold, shift.is_cut]).toEqual([6, 1, false])
  expect(Object.fromEntries(shift.groups.map(({ group, n }) => [group, n]))).toEqual({ new: 3, accepted: 3 })
  expect([shift.late.total, ids(shift.late)]).toEqual([1, [late.id]])
  expect([shift.soon.total, ids(shift.soon)]).toEqual([1, [soon.id]])
  expect([shift.waiting_for_label.total, ids(shift.waiting_for_label).toSorted()]).toEqual([
    2,
    [parcel.id, failed.id].toSorted(),
  ])
  expect(Object.fromEntries(shift.problems.orders.map(({ id, problem }) => [id, problem]))).toEqual({
    [later.id]: 'needs_look',
    [failed.id]: 'label_failed',
    [lost.id]: 'courier_failed',
  })
  // "Needs a look" of the list is one kind of the three, so the part has no link to it.
  const looks = await desk.call('GET /m/v2/merchant/{tmk}/orders/optimized', {
    as: shop.member,
    params: { tmk: shop.key },
    query: { 'filter[tab]': 'active', 'filter[needs_a_look]': 'true' },
  })
  expect(looks.body.items.map(({ id }) => id)).toEqual([later.id])
  const [row] = shift.late.orders
  expect([row?.recipient, row?.group, row?.method]).toEqual(['Dee Nakamura', 'new', 'scheduled'])
  expect(shift.clerks).toEqual([
    { by: shop.member.id, name: row?.taken_by, n: 2, orders: [late.id, held.id] },
  ])

  // A bought label ends the problem.
  const bought = await counterOf(desk, { key: shop.key, as: shop.member }, failed).buyLabels()
  if (bought.status === 200) expect(ids((await read(shop)).body.problems)).not.toContain(failed.id)
})

test('a refused address is no problem once it is corrected; a refusal for another reason stays one', async () => {
  const own = await desk.openShop()
  const problems = async () => ids((await read(own)).body.problems)
  for (const [code, isOver] of [
    ['invalid_street', true],
    ['account_unauthorized', false],
  ] as const) {
    const { id } = await orderIn(desk, own, { status: 'MERCHANT_ACCEPTED' })
    await desk.owner.query(
      `insert into order_history (merchant_id, order_id, version, action, from_status, to_status, actor_kind, actor_name, details)
       select merchant_id, order_id, version + 1, 'label_failed', status, status, 'merchant', 'Ada', json_build_object('code', $2::text)
       from orders where order_id = $1`,
      [id, code],
    )
    await desk.owner.query(
      `insert into order_history (merchant_id, order_id, version, action, from_status, to_status, actor_kind, actor_name)
       select merchant_id, order_id, version + 2, 'print_packing_slip', status, status, 'merchant', 'Ada' from orders where order_id = $1`,
      [id],
    )
    expect(await problems()).toContain(id)
    await desk.owner.query(
      `insert into order_history (merchant_id, order_id, version, action, from_status, to_status, actor_kind, actor_name)
       select merchant_id, order_id, version + 3, 'correct_address', status, status, 'merchant', 'Ada' from orders where order_id = $1`,
      [id],
    )
    expect((await problems()).includes(id), code).toBe(!isOver)
  }
})

test('it names 25 of a part and counts the rest, with a long name and hostile letters', async () => {
  const own = await desk.openShop()
  const name = { first_name: '<img src=x onerror=alert(1)>', last_name: "O'Neil \u202E🍷" }
  const base = local(-5 * minuteMs)
  await desk.orders(own, 27, () => base)
  const one = await desk.order(own, {
    ...local(-60 * minuteMs),
    recipient: { ...anOrder(own.key).recipient, ...name },
  })
  const { body } = await read(own)
  expect([body.late.total, body.late.orders.length]).toEqual([28, 25])
  expect(body.late.orders[0]).toMatchObject({ id: one.id, recipient: `${name.first_name} ${name.last_name}` })
})

test('it names the orders on hold, the oldest first, with the words of their list and until when a customer may answer', async () => {
  const own = await desk.openShop()
  await stockGin(desk, own)
  const held = await holdGin(desk, own, { date_submitted: at(-90 * minuteMs) })
  const offered = await askingOf(desk, own, held).offer()
  const [offer] = offered.body.substitutes?.offers ?? []
  const old = await orderIn(desk, own, { status: 'REJECTED_PARTIAL', date_submitted: at(-180 * minuteMs) })
  await desk.call('PUT /m/v2/merchant/{tmk}/orders/{id}/taken', {
    as: own.member,
    params: { tmk: own.key, id: old.id },
    body: {},
  })
  const list = await desk.call('GET /m/v2/merchant/{tmk}/orders/optimized', {
    as: own.member,
    params: { tmk: own.key },
    query: { 'filter[tab]': 'on_hold', 'sort[date]': 'asc' },
  })
  const { body } = await read(own)
  expect(body.held.orders.map(({ id, reason }) => [id, reason])).toEqual(
    list.body.items.map(({ id, status_comment: comment }) => [id, comment]),
  )
  const [first, second] = body.held.orders
  expect(first).toEqual({
    id: old.id,
    recipient: 'Dee Nakamura',
    method: 'shipped',
    received_at: old.date_submitted,
    reason: expect.stringMatching(/^Out of stock: .*within 48 hrs$/),
    answer_until: null,
    taken_by: list.body.items[0]?.taken?.name,
  })
  expect([second?.id, second?.answer_until, second?.taken_by]).toEqual([held.order.id, offer?.until, null])
  expect(second?.reason).toContain('Offered Dry Gin (750 mL)')

  // A question that is over is waited for no more, and of the orders on hold 25 are named.
  await desk.owner.query(
    `update orders set document = replace(document::text, '"state":"offered"', '"state":"declined"')::json where order_id = $1`,
    [held.order.id],
  )
  for (const order of await desk.orders(own, 25, () => ({ items: twoItems() })))
    await takeStep(desk, own, { order, step: 'report_items' })
  const { held: all, on_hold: n } = (await read(own)).body
  expect([n, all.total, all.orders.length]).toEqual([27, 27, 25])
  expect(all.orders.map(({ answer_until: until }) => until)).toEqual(all.orders.map(() => null))
})

test('of more than 2,000 taken orders it counts clerk by clerk those that are due first, and says that there are more', async () => {
  const own = await desk.openShop()
  const { id } = await desk.order(own)
  await desk.call('PUT /m/v2/merchant/{tmk}/orders/{id}/taken', {
    as: own.member,
    params: { tmk: own.key, id },
    body: {},
  })
  expect((await read(own)).body.is_taken_cut).toBe(false)
  // The clerk whose id is last took them first.
  for (const [by, first] of [
    ['z', 9_000_000],
    ['a', 8_000_000],
  ] as const)
    await desk.owner.query(
      `insert into orders (merchant_id, order_id, order_key, status, tab, display_group, delivery_method, application_ref,
         submitted_at, deadline_at, version, document, taken_by, taken)
       select merchant_id, $3::int + i, $3::int + i, status, tab, display_group, delivery_method, application_ref,
         submitted_at, now() - i * interval '1 minute', version, document, $2::text, '{"name":"' || $2 || '"}'
       from orders, generate_series(1, 1200) i where order_id = $1`,
      [id, by, first],
    )
  // The database now knows that nearly all rows are wanted, and reads them as they are stored if no order is asked for.
  await desk.owner.query('analyze orders')
  await desk.owner.query('update orders set taken_by = null where order_id = $1', [id])
  const { body } = await read(own)
  expect(body.is_taken_cut).toBe(true)
  expect(body.clerks.map(({ by, n, orders }) => [by, n, orders.length, orders[0]])).toEqual([
    ['a', 1_200, 25, '8001200'],
    ['z', 800, 25, '9001200'],
  ])
})

test('GEN-007 another merchant reads nothing of it, and an empty shop hands over nothing', async () => {
  const other = await desk.openShop()
  expect((await read(shop, other.owner)).status).toBe(403)
  const { body } = await read(other)
  expect([body.open, body.late.total, body.problems.total, body.held, body.clerks]).toEqual([
    0,
    0,
    0,
    { total: 0, orders: [] },
    [],
  ])
})
