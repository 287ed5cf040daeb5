import type { AlarmKind, AlarmRules, Alarms } from '@cellarhand/contract/live'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTurnableDesk, type Desk, type Shop, type TurnableDesk } from '../../../test/desk.ts'
import { listen, type EventReader } from '../../../test/event-reader.ts'
import { giveCourierAndParcel, takeStep, type Step } from '../../../test/order-steps.ts'

let desk: TurnableDesk
let second: Desk
let shop: Shop
const readers: EventReader[] = []
beforeAll(async () => {
  desk = await openTurnableDesk()
  second = await desk.another()
})
beforeEach(async () => {
  shop = await desk.openShop()
})
afterAll(async () => {
  for (const reader of readers) await reader.cut()
  await desk.stop()
})

const minuteMs = 60_000
const at = (ms: number) => new Date(desk.clock.nowMs() + ms).toISOString()
const local = (leftMinutes: number) => ({
  delivery: { method: 'scheduled', window: [at(-minuteMs), at(leftMinutes * minuteMs)] },
})
const usual: AlarmRules = {
  rules: [{ method: 'scheduled', soon_minutes: 30, late: true }],
  quiet_when_closed: false,
}

const saveRules = (rules: AlarmRules, as = shop.manager, tmk = shop.key) =>
  desk.call('PUT /m/v2/merchant/{tmk}/alarms/rules', { as, params: { tmk }, body: rules })
async function ringing(at: Desk = desk): Promise<string[]> {
  const { body } = await at.call('GET /m/v2/merchant/{tmk}/alarms', {
    as: shop.member,
    params: { tmk: shop.key },
  })
  return namesOf(body)
}
const namesOf = ({ due }: Alarms) => (due?.items ?? []).map(({ kind, order_id }) => `${kind} ${order_id}`)
const rings = (...wanted: string[]) => desk.later(async () => expect(await ringing()).toEqual(wanted))
/** Two looks of each process pass. */
async function lookTwice(): Promise<void> {
  const looked = async () =>
    (
      await desk.owner.query<{ look_at: Date }>('select look_at from alarm_rules where merchant_id = $1', [
        shop.key,
      ])
    ).rows[0]?.look_at.getTime() ?? 0
  for (let looks = 0; looks < 2; looks++) {
    const before = await looked()
    await desk.later(async () => expect(await looked()).toBeGreaterThan(before))
  }
}
const acknowledge = (order_id: string, kind: AlarmKind) =>
  second.call('POST /m/v2/merchant/{tmk}/alarms/acknowledge', {
    as: shop.member,
    params: { tmk: shop.key },
    body: { alarms: [{ order_id, kind }] },
  })
async function open(at: Desk): Promise<EventReader> {
  const reader = await listen(at, { key: shop.key, as: shop.member })
  readers.push(reader)
  return reader
}
const hears = (reader: EventReader, ...wanted: string[]) =>
  reader.next(
    ({ event, data }) =>
      event === 'alarms' && JSON.stringify(namesOf(data as Alarms)) === JSON.stringify(wanted),
  )

test('an order rings when it is nearly late and when it is late, on the screens of every server, once each', async () => {
  await saveRules(usual)
  const [here, there] = [await open(desk), await open(second)]
  const { id } = await desk.order(shop, local(40))
  await lookTwice()
  expect(await ringing()).toEqual([])
  await desk.turn(10 * minuteMs)
  await rings(`soon ${id}`)
  for (const reader of [here, there]) await hears(reader, `soon ${id}`)
  await acknowledge(id, 'soon')
  await lookTwice()
  expect(await ringing()).toEqual([])

  await desk.turn(30 * minuteMs)
  await rings(`late ${id}`)
  for (const reader of [here, there]) await hears(reader, `late ${id}`)
  expect(await ringing(second)).toEqual([`late ${id}`])
  await acknowledge(id, 'late')
  await lookTwice()
  expect(await ringing()).toEqual([])
  const { rows } = await desk.owner.query('select kind from order_alarms where order_id = $1 order by kind', [
    id,
  ])
  expect(rows.map(({ kind }: { kind: string }) => kind)).toEqual(['late', 'new', 'soon'])
})

test('a late order is no longer nearly late, and the counts are beside those of new orders', async () => {
  await saveRules(usual)
  const first = await desk.order(shop, local(31))
  const later = await desk.order(shop, local(50))
  await desk.turn(2 * minuteMs)
  await rings(`soon ${first.id}`)
  await desk.turn(30 * minuteMs)
  await rings(`late ${first.id}`, `soon ${later.id}`)
  const { body } = await desk.call('GET /m/v2/merchant/{tmk}/alarms', {
    as: shop.member,
    params: { tmk: shop.key },
  })
  expect([body.total, body.cancelled, body.due?.late, body.due?.soon]).toEqual([2, 0, 1, 1])
  expect(body.items.map(({ kind }) => kind)).toEqual(['new', 'new'])
  await acknowledge(first.id, 'late')
  await rings(`soon ${later.id}`)
})

test('each method has its own minutes, and one without a rule is silent', async () => {
  await saveRules({
    rules: [
      { method: 'scheduled', soon_minutes: null, late: true },
      { method: 'on_demand', soon_minutes: 100, late: false },
    ],
    quiet_when_closed: false,
  })
  const scheduled = await desk.order(shop, local(15))
  const onDemand = await desk.order(shop, { delivery: { method: 'on_demand' } })
  await desk.order(shop, { delivery: { method: 'shipped' } })
  await desk.turn(21 * minuteMs)
  await rings(`late ${scheduled.id}`, `soon ${onDemand.id}`)
  await desk.turn(120 * minuteMs)
  await lookTwice()
  expect(await ringing()).toEqual([`late ${scheduled.id}`, `soon ${onDemand.id}`])
})

test('without rules nothing rings, and what fell due before they were saved does not either', async () => {
  const late = await desk.order(shop, local(5))
  await desk.turn(10 * minuteMs)
  await saveRules(usual)
  const next = await desk.order(shop, local(35))
  await desk.turn(6 * minuteMs)
  await rings(`soon ${next.id}`)
  expect(await ringing()).not.toContain(`late ${late.id}`)
})

test.each([
  ['accept', []],
  ['reject', []],
  ['cancel', []],
] as const)('it ends when a clerk takes the order on, or the order ends: %s', async (step, left) => {
  await saveRules(usual)
  const order = await desk.order(shop, local(29))
  // It came in within its warning time and has just rung as new.
  await lookTwice()
  expect(await ringing()).toEqual([])
  await desk.turn(30 * minuteMs)
  await rings(`late ${order.id}`)
  expect((await takeStep(desk, shop, { order, step })).status).toBe(200)
  await rings(...left)
  await lookTwice()
  expect(await ringing()).toEqual([])
})

test('an accepted order still rings when it is late, and one that left the shop does not', async () => {
  await saveRules(usual)
  const orders = [await desk.order(shop, local(31)), await desk.order(shop, local(31))]
  for (const order of orders) await takeStep(desk, shop, { order, step: 'accept' })
  const [kept, gone] = orders
  if (kept === undefined || gone === undefined) throw new Error('Two orders')
  const { body } = await desk.call('GET /m/v2/orders/{id}', { as: shop.member, params: { id: gone.id } })
  const sent = await takeStep(desk, shop, { order: body, step: 'send_out' })
  expect(sent.status).toBe(200)
  await desk.turn(2 * minuteMs)
  await rings(`soon ${kept.id}`)
  await desk.turn(30 * minuteMs)
  await rings(`late ${kept.id}`)
})

test.each<[string, { out: Step[]; back: Step }]>([
  ['approved payment', { out: ['accept', 'decline_payment'], back: 'approve_payment' }],
  ['courier who brings it', { out: ['accept', 'courier_pick_up'], back: 'courier_bring_back' }],
  ['driver who brings it', { out: ['accept', 'send_out'], back: 'bring_back' }],
])('an order that is late when it comes back to the shop rings once: %s', async (_, { out, back }) => {
  await saveRules({ ...usual, rules: [{ method: 'on_demand', soon_minutes: 30, late: true }] })
  const reader = await open(second)
  const order = await desk.order(shop, { delivery: { method: 'on_demand' } })
  await giveCourierAndParcel(desk, order, back === 'bring_back' ? 'ORDER_FAILED' : undefined)
  const take = async (step: Step) => {
    const { body } = await desk.call('GET /m/v2/orders/{id}', { as: shop.member, params: { id: order.id } })
    expect((await takeStep(desk, shop, { order: body, step })).status).toBe(200)
  }
  for (const step of out) await take(step)
  await desk.turn(130 * minuteMs)
  await lookTwice()
  expect(await ringing()).toEqual([])
  await take(back)
  await rings(`late ${order.id}`)
  await hears(reader, `late ${order.id}`)
  await acknowledge(order.id, 'late')

  // It has rung already.
  if (back !== 'approve_payment') {
    await take('send_out')
    await take('bring_back')
  }
  await lookTwice()
  expect(await ringing()).toEqual([])
})

test('an order that is nearly late when it comes back rings as that, and one of a method without a rule does not', async () => {
  await saveRules(usual)
  const orders = [
    await desk.order(shop, local(40)),
    await desk.order(shop, local(90)),
    await desk.order(shop, { delivery: { method: 'on_demand' } }),
  ]
  for (const order of orders)
    for (const step of ['accept', 'decline_payment'] as const) await takeStep(desk, shop, { order, step })
  await desk.turn(20 * minuteMs)
  for (const order of orders) await takeStep(desk, shop, { order, step: 'approve_payment' })
  await rings(`soon ${orders[0]?.id}`)
  await desk.turn(110 * minuteMs)
  await rings(`late ${orders[0]?.id}`, `late ${orders[1]?.id}`)
})

test('a shop that wants its quiet hears at its opening what fell due at night, and its screens know when it is quiet', async () => {
  const soonMs = desk.clock.nowMs() + 120 * minuteMs
  // Open for the hour that begins in two hours, by the shop's own clock (UTC), and not just before midnight.
  const laterMs = soonMs % 86_400_000 > 1_425 * minuteMs ? 20 * minuteMs : 0
  shop = await desk.openShop(undefined, 'UTC')
  const opens = new Date(soonMs + laterMs)
  const time = (ms: number) => new Date(ms).toISOString().slice(11, 16)
  const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' })
    .format(opens)
    .toLowerCase()
  const from = opens.getTime()
  const until = Math.min(from + 60 * minuteMs, Math.floor(from / 86_400_000) * 86_400_000 + 1439 * minuteMs)
  await desk.owner.query('update merchants set regular_hours = $2 where merchant_id = $1', [
    shop.key,
    JSON.stringify([{ weekday, time_open: time(from), time_close: time(until) }]),
  ])
  await saveRules({ ...usual, quiet_when_closed: true })
  const reader = await open(desk)
  const quiet = (is: boolean) =>
    reader.next(({ event, data }) => event === 'alarms' && (data as Alarms).is_quiet === is)
  await quiet(true)
  const { id } = await desk.order(shop, local(60))
  const held = await desk.order(shop, local(5))
  for (const step of ['accept', 'decline_payment'] as const) await takeStep(desk, shop, { order: held, step })
  await desk.turn(70 * minuteMs)
  await takeStep(desk, shop, { order: held, step: 'approve_payment' })
  await lookTwice()
  expect(await ringing()).toEqual([])
  await desk.turn(50 * minuteMs + laterMs)
  await rings(`late ${id}`, `late ${held.id}`)
  await quiet(false)
})

test('only managers and owners of the shop change its rules, and no method twice or without end', async () => {
  expect((await saveRules(usual, shop.member)).status).toBe(403)
  const other = await desk.openShop()
  expect((await saveRules(usual, other.owner)).status).toBe(403)
  const [rule] = usual.rules
  if (rule === undefined) throw new Error('A rule')
  const twice = await saveRules({ ...usual, rules: [rule, { ...rule, late: false }] })
  expect([twice.status, Object.keys(twice.refusal.errors)]).toEqual([400, ['rules']])
  for (const minutes of [0, -1, 1.5, 10_081])
    expect((await saveRules({ ...usual, rules: [{ ...rule, soon_minutes: minutes }] })).status).toBe(400)
  expect((await saveRules(usual)).body).toEqual(usual)
  const read = await desk.call('GET /m/v2/merchant/{tmk}/alarms/rules', {
    as: shop.member,
    params: { tmk: shop.key },
  })
  expect(read.body).toEqual(usual)
})
