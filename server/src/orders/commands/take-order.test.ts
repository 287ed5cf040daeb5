import type { Queue } from '@cellarhand/contract/live'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { marketplaceCredential, openDesk, type Desk, type Person, type Shop } from '../../../test/desk.ts'
import { listen } from '../../../test/event-reader.ts'
import { onDemand } from '../../../test/orders.ts'
import { orderIn, storedOrder, takeStep } from '../../../test/order-steps.ts'

let desk: Desk
let shop: Shop
let ada: Person
let ben: Person

beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
  ada = shop.member
  ben = shop.manager
})
afterAll(async () => desk.stop())

interface Wish {
  readonly over?: string
  readonly tmk?: string
  readonly headers?: Record<string, string>
}

const take = (as: Person, id: string, { over, tmk = shop.key, headers = {} }: Wish = {}) =>
  desk.call('PUT /m/v2/merchant/{tmk}/orders/{id}/taken', {
    as,
    params: { tmk, id },
    body: over === undefined ? {} : { over },
    headers,
  })
const letGo = (as: Person, id: string, tmk = shop.key) =>
  desk.call('DELETE /m/v2/merchant/{tmk}/orders/{id}/taken', { as, params: { tmk, id } })
const read = async (id: string) =>
  (await desk.call('GET /m/v2/orders/{id}', { as: ada, params: { id } })).body
const list = async (query: Record<string, string>, as = ada) =>
  desk.call('GET /m/v2/merchant/{tmk}/orders/optimized', { as, params: { tmk: shop.key }, query })
const queue = async (): Promise<Queue> =>
  (await desk.call('GET /m/v2/merchant/{tmk}/orders/queue', { as: ada, params: { tmk: shop.key } })).body
const actions = async (id: string) => (await read(id)).history.map(({ action }) => action)

test('a clerk takes an order: view, list and history say who and since when, and a second press changes nothing', async () => {
  const { id, version } = await desk.order(shop)
  const { status, body } = await take(ada, id)
  expect([status, body.taken?.by, body.version]).toEqual([200, ada.id, version + 1])
  expect(Math.abs(Date.parse(body.taken?.since ?? '') - Date.now())).toBeLessThan(600_000)
  const again = await take(ada, id)
  expect(again.body).toEqual(body)
  const seen = await read(id)
  expect(seen.taken).toEqual(body.taken)
  expect(seen.history[0]).toMatchObject({
    action: 'take',
    actor: body.taken?.name,
    from: 'SUBMITTED',
    to: 'SUBMITTED',
  })
  const row = (await list({ 'filter[order_key]': seen.thirstie_logistic_order_ref })).body.items[0]
  expect(row?.taken).toEqual(body.taken)
  const gone = await letGo(ada, id)
  expect([gone.status, gone.body.taken]).toEqual([200, undefined])
  expect((await letGo(ada, id)).body.version).toBe(gone.body.version)
  expect(await actions(id)).toEqual(['let_go', 'take', 'submit'])
})

test("a colleague's order is refused with who has it, and taken over by name alone", async () => {
  const { id } = await desk.order(shop)
  const { body } = await take(ada, id)
  const refused = await take(ben, id)
  expect([refused.status, refused.refusal.code]).toEqual([409, 'order_taken'])
  expect(refused.refusal['order']).toMatchObject({ id, taken: body.taken })
  expect(refused.refusal.message).toContain(body.taken?.name)
  expect((await take(ben, id, { over: shop.owner.id })).status).toBe(409)
  // Nobody lets a colleague's order go.
  expect((await letGo(ben, id)).body.taken?.by).toBe(ada.id)
  const over = await take(ben, id, { over: ada.id })
  expect(over.body.taken?.by).toBe(ben.id)
  expect((await read(id)).history[0]).toMatchObject({
    action: 'take',
    details: { taken_over_from: body.taken?.name },
  })
})

test('of two clerks at once one has it, and the other reads who', async () => {
  const { id } = await desk.order(shop)
  const answers = await Promise.all([take(ada, id), take(ben, id)])
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  const winner = answers.find(({ status }) => status === 200)?.body.taken
  expect(answers.find(({ status }) => status === 409)?.refusal['order']).toMatchObject({ taken: winner })
  expect((await read(id)).taken).toEqual(winner)
})

test('a repeated request takes once, and with another colleague it is refused', async () => {
  const { id } = await desk.order(shop)
  const headers = { 'idempotency-key': 'take-1' }
  const [first, second] = [await take(ada, id, { headers }), await take(ada, id, { headers })]
  expect(second.body).toEqual(first.body)
  expect((await take(ada, id, { headers, over: ben.id })).status).toBe(422)
})

test('it keeps nobody from deciding, not even on the version before, and it ends when the order is done', async () => {
  const order = await orderIn(desk, shop, { status: 'SUBMITTED', method: 'on_demand' })
  const { body } = await take(ada, order.id)
  const accepted = await desk.call('PUT /m/v2/orders/{id}', {
    as: ben,
    params: { id: order.id },
    body: { status: 'MERCHANT_ACCEPTED', version: order.version },
  })
  expect([accepted.status, accepted.body.taken]).toEqual([200, body.taken])
  const out = await takeStep(desk, shop, { order: accepted.body, step: 'send_out' })
  expect(out.body.taken).toEqual(body.taken)
  const done = await takeStep(desk, shop, { order: out.body, step: 'deliver' })
  expect([done.status, done.body.taken]).toEqual([200, undefined])
  expect((await take(ada, order.id)).refusal.code).toBe('order_finished')
  const { rows } = await desk.owner.query('select taken, taken_by from orders where order_id = $1', [
    order.id,
  ])
  expect(rows).toEqual([{ taken: null, taken_by: null }])
})

test('the marketplace hears nothing of it: no event, no field, and not in the answer to its own changes', async () => {
  const order = await desk.order(shop)
  const as = marketplaceCredential
  const events = async () => {
    const { body } = await desk.call('GET /marketplace/v1/events', { as })
    return body.events.filter(({ data }) => data.id === order.id)
  }
  const stored = await storedOrder(desk, order.id)
  await take(ada, order.id)
  await take(ben, order.id, { over: ada.id })
  await expect.poll(events).toHaveLength(1)
  const params = { id: order.id }
  const told = [
    await desk.call('GET /marketplace/v1/orders/{id}', { as, params }),
    await desk.call('GET /marketplace/v1/orders', { as, query: { merchant: shop.key } }),
    await desk.call('POST /marketplace/v1/orders/{id}/status', { as, params, body: { status: 'CLOSED' } }),
    await desk.call('POST /marketplace/v1/orders/{id}/status', { as, params, body: { status: 'REFUNDED' } }),
    await desk.call('POST /marketplace/v1/orders/{id}/status', { as, params, body: { status: 'CANCELLED' } }),
  ]
  expect(told.map(({ status }) => status)).toEqual([200, 200, 409, 409, 200])
  for (const { text } of told) expect(text).not.toContain('"taken"')
  expect(JSON.parse(stored.document)).not.toHaveProperty('taken')
  await expect.poll(events).toHaveLength(2)
})

test('no webhook is due for it, also when a webhook is registered', async () => {
  await desk.owner.query(
    `insert into webhook_endpoint (url, secret_sealed, held_at) values ('http://127.0.0.1:9/', 'x', now()) on conflict do nothing`,
  )
  const { id } = await desk.order(shop)
  await take(ada, id)
  const kinds = async () => {
    const { rows } = await desk.owner.query(
      `select kind, webhook_due_at is not null as due from outbox where payload ->> 'id' = $1 and position is not null order by event_id`,
      [id],
    )
    return rows
  }
  await expect.poll(kinds).toEqual([
    { kind: 'order.created', due: true },
    { kind: 'order.taken', due: false },
  ])
  await desk.owner.query('delete from webhook_endpoint')
})

test('every screen hears of it at once, also one that another server serves', async () => {
  const second = await desk.another()
  const { id } = await desk.order(shop)
  const readers = [
    await listen(desk, { key: shop.key, as: ben }),
    await listen(second, { key: shop.key, as: shop.owner }),
  ]
  await take(ada, id)
  for (const reader of readers) {
    const told = await reader.next(({ event }) => event === 'order.taken')
    expect(told.data).toMatchObject({ id, tab: 'active' })
    await reader.next(
      ({ event, data }) =>
        event === 'queue' && ((data as Queue).clerks ?? []).some(({ by }) => by === ada.id),
    )
    await reader.cut()
  }
  await second.stop()
})

test('Mine lists and counts the orders of the caller by due time and by date, beside other filters', async () => {
  const own = await desk.openShop()
  const [clerk, colleague] = [own.member, own.owner]
  const orders = await desk.orders(own, 6, (index) => (index % 2 === 0 ? onDemand : {}))
  const ids = orders.map(({ id }) => id)
  const bulk = (as: Person, some: readonly string[]) =>
    desk.call('POST /m/v2/merchant/{tmk}/orders/bulk/take', {
      as,
      params: { tmk: own.key },
      body: { orders: some.map((id) => ({ id })) },
    })
  expect((await bulk(clerk, ids.slice(0, 4))).body).toEqual({ taken_count: 4, not_taken: [] })
  const refused = (await bulk(colleague, [...ids.slice(3), '999999999999'])).body
  expect([refused.taken_count, refused.not_taken.map(({ id }) => id)]).toEqual([2, [ids[3], '999999999999']])
  const page = async (as: Person, query: Record<string, string>) =>
    (
      await desk.call('GET /m/v2/merchant/{tmk}/orders/optimized', {
        as,
        params: { tmk: own.key },
        query: { 'filter[tab]': 'active', ...query },
      })
    ).body
  for (const sort of [{ 'sort[due]': 'asc' }, { 'sort[date]': 'asc' }, { 'sort[date]': 'desc' }]) {
    const mine = await page(clerk, { 'filter[taken_by]': 'me', ...sort })
    expect([mine.total_rows, mine.items.map(({ id }) => id).toSorted()]).toEqual([
      4,
      ids.slice(0, 4).toSorted(),
    ])
    const theirs = await page(clerk, { 'filter[taken_by]': colleague.id, ...sort })
    expect(theirs.items.map(({ id }) => id).toSorted()).toEqual(ids.slice(4).toSorted())
    expect((await page(colleague, { 'filter[taken_by]': 'me', ...sort })).total_rows).toBe(2)
  }
  const local = await page(clerk, { 'filter[taken_by]': 'me', 'filter[delivery_method]': 'on_demand' })
  expect([local.total_rows, local.items.length]).toEqual([2, 2])
  const short = await page(clerk, { 'filter[taken_by]': 'me', limit: '3' })
  const rest = await desk.send('GET', short.next_url ?? '', { as: clerk })
  expect((rest.body as typeof short).items.length).toBe(1)
  for (const query of [
    { 'filter[taken_by]': 'me', 'filter[due]': 'late' },
    { 'filter[taken_by]': 'me', 'filter[needs_a_look]': 'true' },
    { 'filter[taken_by]': 'me', 'filter[tab]': 'completed' },
    { 'filter[taken_by]': "x' or 1=1" },
  ])
    expect([query, (await list({ 'filter[tab]': 'active', ...query })).status]).toEqual([query, 400])
  const { clerks } = (
    await desk.call('GET /m/v2/merchant/{tmk}/orders/queue', { as: clerk, params: { tmk: own.key } })
  ).body
  expect(clerks?.map(({ by, n }) => [by, n]).toSorted()).toEqual(
    [
      [clerk.id, 4],
      [colleague.id, 2],
    ].toSorted(),
  )
  const gone = await desk.call('POST /m/v2/merchant/{tmk}/orders/bulk/let_go', {
    as: clerk,
    params: { tmk: own.key },
    body: { orders: ids.map((id) => ({ id })) },
  })
  expect([gone.body.let_go_count, (await page(clerk, { 'filter[taken_by]': 'me' })).total_rows]).toEqual([
    4, 0,
  ])
})

test('an order that a clerk has comes next for that clerk alone', async () => {
  const { id } = await desk.order(shop)
  await take(ada, id)
  const before = await queue()
  expect(before.decide).toContain(id)
  expect(before.taken).toContainEqual({ id, by: ada.id })
  // Late, it is everybody's again.
  await desk.owner.query(`update orders set deadline_at = now() - interval '1 minute' where order_id = $1`, [
    id,
  ])
  await take(ada, (await desk.order(shop)).id)
  const after = await queue()
  expect(after.decide).toContain(id)
  expect(after.taken?.some((each) => each.id === id)).toBe(false)
})

test('GEN-007 another merchant neither takes an order nor reads who has it', async () => {
  const other = await desk.openShop()
  const { id } = await desk.order(shop)
  await take(ada, id)
  expect((await take(other.owner, id)).status).toBe(403)
  expect((await take(other.owner, id, { tmk: other.key })).status).toBe(404)
  expect((await letGo(other.owner, id, other.key)).status).toBe(404)
  const { body } = await desk.call('POST /m/v2/merchant/{tmk}/orders/bulk/take', {
    as: other.owner,
    params: { tmk: other.key },
    body: { orders: [{ id }] },
  })
  expect([body.taken_count, body.not_taken[0]?.id]).toEqual([0, id])
  expect((await read(id)).taken?.by).toBe(ada.id)
})
