import { orderStatuses } from '@cellarhand/contract/order-statuses'
import type { Order } from '@cellarhand/contract/orders'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { App } from '../src/app.ts'
import { applicationCredential, openDesk, type Desk } from '../test/desk.ts'
import { demoPassword } from './demo-people.ts'
import { seedDemo } from './seed-demo.ts'
import { sentinelAddresses } from '../src/shipping/port/sentinel-addresses.ts'

let desk: Desk
const said: string[] = []
const logged: string[] = []
beforeAll(async () => {
  desk = await openDesk()
})
afterAll(() => desk.stop())

function seed(app: App = desk.app): Promise<boolean> {
  return seedDemo({
    app,
    config: desk.config,
    log: pino({ level: 'warn' }, { write: (line) => void logged.push(line) }),
    say: (line) => said.push(line),
  })
}

const tally = async () =>
  (
    await desk.owner.query<{
      orders: string
      changes: string
      events: string
      offerings: string
      users: string
    }>(
      `select (select count(*) from orders) as orders, (select count(*) from order_history) as changes,
         (select count(*) from outbox) as events, (select count(*) from offerings) as offerings, (select count(*) from users) as users`,
    )
  ).rows[0]

/** The app, which fails after so many calls. */
function dyingAfter(calls: number): App {
  let left = calls
  const inject = (request: never) => {
    if (left-- <= 0) throw new Error('killed')
    return desk.app.http.inject(request)
  }
  return { ...desk.app, http: { inject } as unknown as App['http'] }
}

test('a demo that breaks off again and again is completed once, without duplicates', async () => {
  await seed(dyingAfter(40))
  expect(said.at(-1)).toContain('could not be completed')
  expect(Number((await tally())?.orders)).toBeGreaterThan(10)
  await seed(dyingAfter(900))
  logged.length = 0
  await seed()
  expect(logged).toEqual([])
  const complete = await tally()
  said.length = 0
  expect(await seed()).toBe(true)
  expect(said).toEqual([])
  expect(await tally()).toEqual(complete)
  const { rows } = await desk.owner.query(
    'select order_id from order_history group by order_id having count(*) <> max(version) or count(distinct version) <> count(*)',
  )
  expect(rows).toEqual([])
}, 120_000)

async function orders(merchant: string): Promise<Order[]> {
  const { rows } = await desk.owner.query<{ document: string }>(
    'select document::text from orders where merchant_id = $1',
    [merchant],
  )
  return rows.map(({ document }) => JSON.parse(document) as Order)
}

test('GAP-29 the shop has many and varied orders', async () => {
  const demo = await orders('demo')
  expect(demo.length).toBeGreaterThanOrEqual(250)
  expect((await orders('other')).length).toBeGreaterThanOrEqual(30)
  expect(new Set(demo.map(({ status }) => status))).toEqual(new Set(orderStatuses))
  expect(new Set(demo.map(({ delivery }) => delivery.method))).toEqual(
    new Set(['on_demand', 'scheduled', 'preorder', 'deposit', 'shipped']),
  )
  expect(new Set(demo.map(({ application_ref }) => application_ref)).size).toBeGreaterThanOrEqual(6)
  const some = (is: (order: Order) => boolean) => demo.filter(is).length
  const lines = demo.flatMap(({ items }) => items)
  expect(lines.filter(({ name }) => name === 'engraving').length).toBeGreaterThan(10)
  expect(lines.some(({ aux_data }) => aux_data?.engraving_message.some((text) => text.includes('\n')))).toBe(
    true,
  )
  expect(lines.some(({ discount }) => discount > 0)).toBe(true)
  expect(some(({ gift_message }) => gift_message !== null)).toBeGreaterThan(10)
  expect(some(({ promo_code }) => promo_code !== null)).toBeGreaterThan(5)
  expect(some(({ courier_estimate_id }) => courier_estimate_id !== null)).toBeGreaterThan(5)
  expect(some(({ order_weight }) => (order_weight ?? 0) > 50)).toBeGreaterThan(2)
  const names = demo.map(({ customer }) => `${customer.first_name} ${customer.last_name}`).join(' ')
  for (const script of [
    /[À-ž]/,
    /['’]/,
    /\p{Extended_Pictographic}/u,
    /\p{Script=Han}/u,
    /[\p{Script=Hebrew}\p{Script=Arabic}]/u,
  ])
    expect(names).toMatch(script)
})

test('GAP-118 every label error has an order that can cause it', async () => {
  const ready = (await orders('demo')).filter(({ status }) => status === 'PAYMENT_APPROVED')
  for (const { place, phone } of sentinelAddresses) {
    const order = ready.find(({ recipient }) => recipient.street_1 === place.street_1)
    expect(order?.delivery.method, place.street_1).toBe('shipped')
    if (phone === null) expect(order?.recipient.phone_number).toBeNull()
  }
})

test('a rule holds a parcel to a forbidden state, one to a place that nobody knows and one to a post-office box, and no other', async () => {
  const held = (await orders('demo')).filter(({ duties }) => duties !== undefined && duties.block.length > 0)
  expect(held.map(({ status }) => status)).toEqual(held.map(() => 'SUBMITTED'))
  expect(
    Object.fromEntries(
      held.map(({ recipient, duties }) => [recipient.city, duties?.block.map(({ words }) => words)]),
    ),
  ).toEqual({
    Jackson: ['An owner of the shop has decided: such bottles do not go to Wyoming.'],
    'San Juan': ['No rule that this shop has confirmed allows to ship these bottles to this address.'],
    Rhinebeck: [expect.stringMatching(/^A parcel with alcohol does not go to a PO box/)],
  })
  const lines = (await orders('demo'))
    .flatMap(({ items }) => items)
    .filter(({ name }) => name !== 'engraving')
  expect(lines.filter(({ beverage_class: known }) => known === undefined)).toEqual([])
  const { rows } = await desk.owner.query(
    `select beverage_class, min(abv)::float8 as weakest, bool_and(volume_ml > 0) as has_volume from offerings
     where beverage_class is not null group by beverage_class order by beverage_class`,
  )
  expect(rows).toEqual([
    { beverage_class: 'beer', weakest: 5.4, has_volume: true },
    { beverage_class: 'cider', weakest: 6, has_volume: true },
    { beverage_class: 'none', weakest: null, has_volume: true },
    { beverage_class: 'other', weakest: 5, has_volume: true },
    { beverage_class: 'spirits', weakest: 7, has_volume: true },
    { beverage_class: 'wine', weakest: 12, has_volume: true },
  ])
})

test('GAP-85 GAP-110 the active tab shows every badge, and presales on both sides of ten days', async () => {
  const { body } = await desk.call('POST /a/v2/sessions', {
    as: applicationCredential,
    body: { email: 'member@demo.test', password: demoPassword },
  })
  const active: Order[] = []
  for (const offset of [0, 100]) {
    const page = await desk.call('GET /m/v2/merchant/{tmk}/orders/optimized', {
      as: `Bearer ${body.token}`,
      params: { tmk: 'demo' },
      query: { 'filter[tab]': 'active', limit: 100, offset },
    })
    active.push(...page.body.items)
  }
  expect(new Set(active.map(({ on_track_status }) => on_track_status?.type))).toEqual(
    new Set(['SLA0', 'SLA1', 'SLA2']),
  )
  const days = active
    .filter(({ status }) => status === 'MERCHANT_ACCEPTED')
    .flatMap(({ items }) => items.map(({ aux_data }) => aux_data?.preorder_available_date ?? ''))
    .filter((date) => date !== '')
    .map((date) => (Date.parse(date) - Date.now()) / 86_400_000)
  expect(days.some((day) => day < 10)).toBe(true)
  expect(days.some((day) => day > 10)).toBe(true)

  const stock = await desk.call('GET /c/v2/merchants/{tmk}/offerings', {
    as: `Bearer ${body.token}`,
    params: { tmk: 'demo' },
  })
  const { items } = stock.body
  expect(items.length).toBeGreaterThanOrEqual(120)
  expect(items.some(({ is_active }) => !is_active)).toBe(true)
  expect(items.some(({ stock_behavior }) => stock_behavior === 'NextDay')).toBe(true)
  expect(items.some(({ product }) => product?.product_line === null)).toBe(true)
  expect(items.some(({ product }) => product?.container_size === null)).toBe(true)
})

test('every demo user signs in, and every bottle has a picture', async () => {
  for (const email of ['owner@demo.test', 'manager@demo.test', 'owner@other.test', 'nobody@demo.test']) {
    const { status } = await desk.call('POST /a/v2/sessions', {
      as: applicationCredential,
      body: { email, password: demoPassword },
    })
    expect(status).toBe(201)
  }
  const specs = (await orders('demo')).flatMap(({ items }) => items.map(({ image_spec }) => image_spec ?? ''))
  for (const spec of new Set(specs.filter((each) => each !== ''))) {
    const { status } = await desk.send('GET', spec.replace('{dims}', '100x100'))
    expect(status, spec).toBe(200)
  }
})

test('a database with real merchants gets no demo', async () => {
  const own = await openDesk()
  await own.openShop()
  const log = pino({ level: 'silent' })
  expect(await seedDemo({ app: own.app, config: own.config, log, say: () => undefined })).toBe(false)
  const { rows } = await own.owner.query('select count(*)::int as n from merchants')
  expect(rows).toEqual([{ n: 1 }])
  await own.stop()
})

test('most delivered local orders have a recorded ID check, and one without it was brought back', async () => {
  const local = (await orders('demo')).filter(({ delivery }) =>
    ['on_demand', 'scheduled'].includes(delivery.method),
  )
  const closed = local.filter(({ status }) => status === 'CLOSED')
  const checked = closed.filter(({ age_check: check }) => check?.result === 'passed')
  expect(checked.length / closed.length).toBeGreaterThan(0.8)
  expect(checked.length).toBeLessThan(closed.length)
  expect(new Set(checked.map(({ age_check: check }) => check?.method)).size).toBeGreaterThan(1)
  expect(local.filter(({ age_check: check }) => check?.result === 'refused').length).toBeGreaterThan(0)
})
