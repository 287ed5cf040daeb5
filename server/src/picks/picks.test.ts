import type { PickAnswer } from '@cellarhand/contract/picks'
import { outOfStockLabels } from '@cellarhand/contract/decisions'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { marketplaceCredential, openDesk, type Desk, type Person, type Shop } from '../../test/desk.ts'
import { anItem } from '../../test/orders.ts'
import { importInventory } from '#inventory/public.ts'
import { cleanUp } from '#platform/upkeep/clean-up.ts'
import { notePicks } from './public.ts'

let desk: Desk
let shop: Shop

const bourbon = '036000291452'
const rye = '4006381333931'
const csv = [
  'offering_id,price,quantity,product_name,container_size,merchant_sku,upc,shelf',
  `o-bourbon,20,4,Small Batch Bourbon,750 mL,B-1,${bourbon},B-14`,
  `o-rye,20,4,Small Batch Rye,750 mL,R-1,${rye},C-07`,
  'o-cider,9,4,Cider,750 mL,C-1,,',
].join('\n')

beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
  await importInventory(desk.app.db, { merchantKey: shop.key, csv })
})
afterAll(() => desk.stop())

const line = (name: string, quantity = 1) =>
  anItem({
    id: `line-${name}`,
    name,
    product: { id: `p-${name}`, container_size: '750 mL' },
    offering: { id: `o-${name}`, merchant_sku: null, stock_behaviour: null },
    quantity,
    price: 10,
    subtotal: 10 * quantity,
  })

const place = (...items: ReturnType<typeof line>[]) => desk.order(shop, { items })

async function pick(
  id: string,
  name: string,
  { code, as = shop.member, key }: { code?: string; as?: Person; key?: string } = {},
): Promise<PickAnswer> {
  const { status, body } = await desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/picks', {
    as,
    params: { tmk: shop.key, id },
    body: { line_id: `line-${name}`, ...(code !== undefined && { code }) },
    headers: key === undefined ? {} : { 'idempotency-key': key },
  })
  expect(status).toBe(200)
  return body
}

async function look(...ids: string[]) {
  const { body } = await desk.call('GET /m/v2/merchant/{tmk}/picks', {
    as: shop.manager,
    params: { tmk: shop.key },
    query: { orders: ids.join(',') },
  })
  return body.orders
}

async function historyOf(id: string) {
  const { body } = await desk.call('GET /m/v2/orders/{id}', { as: shop.member, params: { id } })
  return body.history.filter(({ action }) => action === 'pick')
}

const pickedOf = ({ order }: PickAnswer) => order.lines.map(({ picked }) => picked)

test('a wave says of each line what to take, from which shelf, and the end of its code', async () => {
  const [one, two] = [await place(line('bourbon', 2)), await place(line('cider'))]
  const [first, second] = await look(two.id, one.id, '999999999')
  expect([first?.id, second?.id]).toEqual([two.id, one.id])
  expect(second?.lines[0]).toMatchObject({
    quantity: 2,
    picked: 0,
    location: 'B-14',
    code_ends: '1452',
    offering_id: 'o-bourbon',
  })
  expect(first?.lines[0]).toMatchObject({ location: null, code_ends: null })
  expect(first?.is_open).toBe(true)
})

test('a right scan counts one, a wrong one counts nothing and is named, too many are refused', async () => {
  const { id } = await place(line('bourbon', 2))
  const wrong = await pick(id, 'bourbon', { code: rye })
  expect([wrong.result, wrong.scanned?.name, pickedOf(wrong)]).toEqual(['wrong', 'Small Batch Rye', [0]])
  const unknown = await pick(id, 'bourbon', { code: '10036000291459' })
  expect([unknown.result, unknown.scanned]).toEqual(['wrong', null])
  expect(pickedOf(await pick(id, 'bourbon', { code: `00${bourbon}` }))).toEqual([1])
  expect((await pick(id, 'bourbon', { code: '1Z999AA10123456784' })).result).toBe('unreadable')
  expect(pickedOf(await pick(id, 'bourbon', { code: bourbon }))).toEqual([2])
  const more = await pick(id, 'bourbon', { code: bourbon })
  expect([more.result, pickedOf(more)]).toEqual(['too_many', [2]])
  expect((await look(id))[0]?.lines[0]?.picked).toBe(2)
})

test('without a code a bottle is confirmed by hand, and marked so; a line that is gone counts nothing', async () => {
  const { id } = await place(line('cider'))
  expect((await pick(id, 'cider', { code: rye })).result).toBe('no_code')
  expect((await pick(id, 'gone')).result).toBe('gone')
  const { result, order } = await pick(id, 'cider')
  expect([result, order.lines[0]?.by_hand]).toEqual(['right', 1])
})

test('the last bottle writes who picked what, how and when; the marketplace receives nothing of it', async () => {
  const order = await place(line('bourbon', 2), line('cider'))
  const { id } = order
  await pick(id, 'bourbon', { code: bourbon })
  await pick(id, 'bourbon', { code: bourbon, as: shop.owner })
  expect(await historyOf(id)).toEqual([])
  const { order: done } = await pick(id, 'cider', { as: shop.owner })
  expect(done.picked_at).not.toBeNull()
  const [entry, ...more] = await historyOf(id)
  expect(more).toEqual([])
  expect(entry).toMatchObject({ from: 'SUBMITTED', to: 'SUBMITTED', party: 'merchant' })
  const bottles = entry?.details?.['bottles'] as { name: string; pieces: { how: string; by: string }[] }[]
  expect(
    bottles.map(({ name, pieces }) => [name, pieces.map(({ how, by }) => `${how} ${by.split(' ')[0]}`)]),
  ).toEqual([
    ['bourbon', ['scan user', 'scan owner']],
    ['cider', ['hand owner']],
  ])
  const as = marketplaceCredential
  const { body: events } = await desk.call('GET /marketplace/v1/events', { as })
  expect(JSON.stringify(events)).not.toContain('"pick"')
  const { text } = await desk.call('GET /marketplace/v1/orders/{id}', { as, params: { id } })
  expect(text).not.toContain('bottles')
})

test('a scan that is sent twice under one key counts once, and two clerks at once never count too many', async () => {
  const { id } = await place(line('bourbon', 2), line('rye'))
  const [one, two] = [
    await pick(id, 'bourbon', { code: bourbon, key: 'scan-1' }),
    await pick(id, 'bourbon', { code: bourbon, key: 'scan-1' }),
  ]
  expect(two).toEqual(one)
  const results = await Promise.all(
    [shop.member, shop.owner, shop.manager].map((as) => pick(id, 'bourbon', { code: bourbon, as })),
  )
  expect(results.map(({ result }) => result).toSorted()).toEqual(['right', 'too_many', 'too_many'])
  expect((await look(id))[0]?.lines[0]?.picked).toBe(2)
})

test('an order that changed meanwhile says so: a reported part counts no more, a cancelled order takes no bottle', async () => {
  const order = await place(line('bourbon', 3), line('rye'))
  const { id } = order
  for (let at = 0; at < 2; at++) await pick(id, 'bourbon', { code: bourbon })
  const outOfStock = { 'p-bourbon': { checked: true, reason: outOfStockLabels.not_available, quantity: 2 } }
  await desk.call('PUT /m/v2/orders/{id}', {
    as: shop.member,
    params: { id },
    body: { status: 'REJECTED_PARTIAL', order: { rejection_message: JSON.stringify({ outOfStock }) } },
  })
  const stopped = await pick(id, 'rye', { code: rye })
  expect([stopped.result, stopped.order.is_open]).toEqual(['stopped', false])
  expect(stopped.order.lines[0]).toMatchObject({ quantity: 1, missing: 2, picked: 1, too_many: 1 })
  const gone = await place(line('rye'))
  await desk.call('POST /marketplace/v1/orders/{id}/status', {
    as: marketplaceCredential,
    params: { id: gone.id },
    body: { status: 'CANCELLED', comment: 'The customer changed their mind' },
  })
  expect((await pick(gone.id, 'rye', { code: rye })).result).toBe('stopped')
})

async function entries(id: string) {
  const history = await historyOf(id)
  return history.map(({ actor, details }) => {
    const bottles = details?.['bottles'] as { name: string; pieces: { by: string }[] }[]
    return [
      actor,
      ...bottles.map(({ name, pieces }) => `${name} ${pieces.map(({ by }) => by.split(' ')[0])}`),
    ]
  })
}

const change = (id: string, body: object, as: Person = shop.member) =>
  desk.call('PUT /m/v2/orders/{id}', { as, params: { id }, body: body as never })

/** As if the order had been picked so many days ago. */
async function age(id: string, days: number): Promise<void> {
  await desk.owner.query(
    'update picks set picked_at = picked_at - make_interval(days => $2) where order_id = $1',
    [id, days],
  )
}

test('an order resumed without the line that was missing has all its bottles in the history', async () => {
  const { id } = await place(line('bourbon', 2), line('rye'))
  for (const as of [shop.member, shop.owner]) await pick(id, 'bourbon', { code: bourbon, as })
  const outOfStock = { 'p-rye': { checked: true, reason: outOfStockLabels.not_available, quantity: 1 } }
  await change(id, {
    status: 'REJECTED_PARTIAL',
    order: { rejection_message: JSON.stringify({ outOfStock }) },
  })
  await notePicks(desk.app.db)
  expect(await entries(id)).toEqual([])
  const resumed = await desk.call('POST /marketplace/v1/orders/{id}/status', {
    as: marketplaceCredential,
    params: { id },
    body: {
      status: 'SUBMITTED',
      items: [line('bourbon', 2)],
      transaction: { subtotal: 20, total: 20 },
    } as never,
  })
  expect(resumed.body).toMatchObject({ status: 'SUBMITTED' })
  await notePicks(desk.app.db)
  await notePicks(desk.app.db)
  expect(await entries(id)).toEqual([['Cellarhand', 'bourbon user,owner']])
})

test('an order that left with fewer bottles picked has them in the history; one at the shelf waits', async () => {
  const [left, waiting, done] = [
    await place(line('bourbon', 2), line('cider')),
    await place(line('bourbon', 2)),
    await place(line('rye')),
  ]
  await pick(left.id, 'bourbon', { code: bourbon })
  await pick(waiting.id, 'bourbon', { code: bourbon })
  await pick(done.id, 'rye', { code: rye })
  await change(left.id, { status: 'MERCHANT_ACCEPTED' })
  const order = { tracking_provider: 'UPS', tracking_id: `1Z${left.id}` }
  expect((await change(left.id, { status: 'MERCHANT_SHIPPED', order })).status).toBe(200)
  await notePicks(desk.app.db)
  await notePicks(desk.app.db)
  expect(await entries(left.id)).toEqual([['Cellarhand', 'bourbon user']])
  expect(await entries(waiting.id)).toEqual([])
  expect(await entries(done.id)).toEqual([[expect.stringMatching(/^user/), 'rye user']])
})

test('pieces go after 60 days, those that no history names stay', async () => {
  const [done, waiting] = [await place(line('rye')), await place(line('bourbon', 2))]
  await pick(done.id, 'rye', { code: rye })
  await pick(waiting.id, 'bourbon', { code: bourbon })
  for (const { id } of [done, waiting]) await age(id, 61)
  await cleanUp(desk.app.db, desk.upkeep)
  const orders = await look(done.id, waiting.id)
  expect(orders.map(({ lines: [first] }) => first?.picked)).toEqual([0, 1])
})

test('GEN-007 another merchant neither sees nor picks an order', async () => {
  const other = await desk.openShop()
  const { id } = await place(line('rye'))
  const asked = await desk.call('GET /m/v2/merchant/{tmk}/picks', {
    as: other.owner,
    params: { tmk: other.key },
    query: { orders: id },
  })
  expect(asked.body.orders).toEqual([])
  for (const tmk of [other.key, shop.key]) {
    const { status } = await desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/picks', {
      as: other.owner,
      params: { tmk, id },
      body: { line_id: 'line-rye', code: rye },
    })
    expect(status).toBe(tmk === shop.key ? 403 : 404)
  }
  expect((await look(id))[0]?.lines[0]?.picked).toBe(0)
})

test('of 100 bottles in the hand every fifth is another one: all are caught', async () => {
  const { id } = await place(line('bourbon', 80), line('rye'))
  const results: string[] = []
  for (let at = 0; at < 100; at++)
    results.push((await pick(id, 'bourbon', { code: at % 5 === 4 ? rye : bourbon })).result)
  expect(results).toEqual(results.map((_, at) => (at % 5 === 4 ? 'wrong' : 'right')))
  expect((await look(id))[0]?.lines.map(({ picked }) => picked)).toEqual([80, 0])
})
