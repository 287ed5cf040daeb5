import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openDesk, type Desk, type Person, type Shop } from '../test/desk.ts'
import { holdRows } from '../test/database/held-rows.ts'
import { listen, type EventReader } from '../test/event-reader.ts'
import { eventually } from '../test/eventually.ts'
import { orderIn } from '../test/order-steps.ts'
import { connectCarrier } from '../test/providers/carrier-account.ts'
import { saidBy } from '../test/refusals.ts'

let desk: Desk
let busy: Shop
let calm: Shop
const readers: EventReader[] = []

beforeAll(async () => {
  desk = await openDesk()
})
beforeEach(async () => {
  busy = await desk.openShop()
  calm = await desk.openShop()
})
afterEach(async () => {
  for (const reader of readers.splice(0)) await reader.cut()
})
afterAll(async () => desk.stop())

const list = async ({ key, member }: Shop) =>
  desk.call('GET /m/v2/merchant/{tmk}/orders/optimized', { as: member, params: { tmk: key } })
const accept = async (id: string, as: Person) =>
  desk.call('PUT /m/v2/orders/{id}', { as, params: { id }, body: { status: 'MERCHANT_ACCEPTED' } })

test('while forty of one shop wait for the same order, others read and write, and its own people read', async () => {
  const order = await desk.order(busy)
  const theirs = await desk.order(calm)
  const held = await holdRows(desk, 'select from orders where order_id = $1 for update', [order.id])
  const clicks = Array.from({ length: 40 }, () => accept(order.id, busy.member))
  await held.waiting(3)
  expect((await list(calm)).status).toBe(200)
  expect((await accept(theirs.id, calm.member)).status).toBe(200)
  expect((await list(busy)).status).toBe(200)
  // Nobody else has come to wait beside the three meanwhile.
  await held.waiting(3)
  await held.release()
  const statuses = (await Promise.all(clicks)).map(({ status }) => status)
  expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 39 }, () => 409)])
})

test('a search does not wait behind the sixty long pages that a colleague’s script has asked for before', async () => {
  await desk.order(busy)
  const held = await holdRows(desk, 'select 1 from pg_class where relname = $1', ['orders'])
  await held.query('lock table orders in access exclusive mode')
  const answered: string[] = []
  const ask = async (as: Person, who: string) => {
    const { status } = await desk.call('GET /m/v2/merchant/{tmk}/orders/optimized', {
      as,
      params: { tmk: busy.key },
      query: { limit: 100 },
    })
    answered.push(`${who} ${status}`)
  }
  const crowd = Array.from({ length: 60 }, async () => ask(busy.member, 'crowd'))
  await held.waiting(1)
  // All of the crowd have come to wait by the time that another call of theirs has been answered.
  await desk.call('GET /a/v2/users/{id}', { as: busy.member, params: { id: busy.member.id } })
  const clerk = ask(busy.owner, 'clerk')
  await desk.call('GET /a/v2/users/{id}', { as: busy.owner, params: { id: busy.owner.id } })
  await held.release()
  await Promise.all([...crowd, clerk])
  expect(answered.indexOf('clerk 200')).toBeGreaterThan(-1)
  expect(answered.indexOf('clerk 200')).toBeLessThan(10)
})

test('whoever waits in vain for an order that somebody else holds is told what to do', async () => {
  const order = await desk.order(busy)
  const held = await holdRows(desk, 'select from orders where order_id = $1 for update', [order.id])
  const answer = await accept(order.id, busy.member)
  expect([answer.status, saidBy(answer)]).toEqual([
    409,
    {
      code: 'changed_elsewhere',
      message: 'Somebody else is changing the same thing right now. Please try again in a moment.',
    },
  ])
  expect(answer.headers.get('retry-after')).toBe('1')
  await held.release()
  expect((await accept(order.id, busy.member)).status).toBe(200)
})

test("a clerk's double click and two hundred orders accepted at once are not refused", async () => {
  const orders = await desk.orders(busy, 200)
  const [first] = orders
  const bulk = desk.call('POST /m/v2/merchant/{tmk}/orders/bulk/accept', {
    as: busy.member,
    params: { tmk: busy.key },
    body: { orders: orders.slice(1).map(({ id }) => ({ id, status: 'MERCHANT_ACCEPTED' as const })) },
  })
  const headers = { 'idempotency-key': 'double-click' }
  const click = async () =>
    desk.call('PUT /m/v2/orders/{id}', {
      as: busy.member,
      params: { id: first?.id ?? '' },
      body: { status: 'MERCHANT_ACCEPTED' },
      headers,
    })
  const clicks = await Promise.all([click(), click()])
  expect(clicks.map(({ refusal, status }) => (status === 200 ? 'done' : refusal.code))).toContain('done')
  expect(
    clicks.every(({ refusal, status }) => status === 200 || refusal.code === 'request_in_progress'),
  ).toBe(true)
  expect((await bulk).body).toMatchObject({ order_accepted_count: 199, order_rejected_count: 0 })
})

/** A call whose body never comes: it is under way for as long as the connection stands. */
function openCall(as: Person): Socket {
  const { port, hostname } = new URL(desk.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  socket.write(
    `PUT /m/v2/orders/1 HTTP/1.1\r\nhost: desk\r\nauthorization: Bearer ${as.token}\r\ncontent-type: application/json\r\ncontent-length: 10\r\n\r\n`,
  )
  return socket
}

test('one person has two hundred calls under way at most, a shop three hundred, and nobody else notices', async () => {
  // Some more than there are places: a look at the list takes one for a moment, and a call that finds none is gone.
  const sockets = Array.from({ length: 220 }, () => openCall(busy.member))
  const isFullFor = async (as: Person) =>
    eventually(async () => {
      const answer = await list({ ...busy, member: as })
      expect([answer.status, answer.refusal.code]).toEqual([429, 'too_much_at_once'])
    })
  await isFullFor(busy.member)
  expect((await list({ ...busy, member: busy.owner })).status).toBe(200)
  sockets.push(...Array.from({ length: 120 }, () => openCall(busy.manager)))
  await isFullFor(busy.owner)
  expect((await list(calm)).status).toBe(200)
  for (const socket of sockets) socket.destroy()
  await eventually(async () => expect((await list(busy)).status).toBe(200))
})

test('one person has forty streams open at most, and a colleague still gets one', async () => {
  const open = async (as: Person) => readers.push(await listen(desk, { key: busy.key, as }))
  while (readers.length < 40) await open(busy.member)
  await expect(open(busy.member)).rejects.toThrow(/answered 429.*too_much_at_once/)
  await open(busy.manager)
  await readers[0]?.cut()
  await eventually(async () => open(busy.member))
})

test('one person is on fifty screens at most', async () => {
  const order = await desk.order(busy)
  const say = async (as: Person, screen: string) =>
    desk.call('PUT /m/v2/merchant/{tmk}/presence', {
      as,
      params: { tmk: busy.key },
      body: { screen, order_id: order.id, activity: 'viewing' },
    })
  // As if they had just been said; the fiftieth place is the one that is fought for.
  await desk.owner.query(
    `insert into order_presence (merchant_id, user_id, screen, order_id, name, activity, expires_at)
     select $1, $2, 'old-' || n, $3, 'Ana', 'viewing', now() + interval '1 hour' from generate_series(1, 49) n`,
    [busy.key, busy.member.id, order.id],
  )
  expect((await say(busy.member, 'fiftieth')).status).toBe(200)
  const refused = await say(busy.member, 'fifty-first')
  expect([refused.status, refused.refusal.code]).toEqual([429, 'too_much_at_once'])
  expect((await say(busy.member, 'fiftieth')).status).toBe(200)
  expect((await say(busy.manager, 'fifty-first')).status).toBe(200)
})

test('a shop has twenty batches under way at most', async () => {
  const order = await desk.order(busy)
  await desk.owner.query(
    `insert into batches (merchant_id, batch_id, report_types, requested_by, base_url, total_count)
     select $1, 'open-' || n, '{packingslip}', $2, 'http://desk.test', 1 from generate_series(1, 20) n`,
    [busy.key, busy.member.id],
  )
  const start = async () =>
    desk.call('POST /m/v2/merchant/{tmk}/orders/bulk/reports', {
      as: busy.member,
      params: { tmk: busy.key },
      body: { order_keys: [order.thirstie_logistic_order_ref], report_types: ['packingslip'] },
    })
  const refused = await start()
  expect([refused.status, refused.refusal.message]).toEqual([
    429,
    '20 downloads are being made already. Please start another when some of them are done.',
  ])
  await desk.owner.query(`update batches set finished_at = now() where batch_id = 'open-1'`)
  expect((await start()).status).toBe(202)
})

test('a shop that has used up its share of the providers still gets the stored answer of a repeated request, and a new one waits', async () => {
  await connectCarrier(desk, busy)
  const parcel = await orderIn(desk, busy, { status: 'MERCHANT_ACCEPTED' })
  const local = await orderIn(desk, busy, {
    status: 'MERCHANT_ACCEPTED',
    method: 'on_demand',
    courier_estimate_id: 'est-1',
  })
  const as = busy.member
  const of = (id: string, key: string) => ({
    as,
    params: { tmk: busy.key, id },
    headers: { 'idempotency-key': key },
  })
  const buy = async (key: string) =>
    desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/shipping_labels', {
      ...of(parcel.id, key),
      body: { order_id: parcel.id, boxes: [{ weight: 4 }] },
    })
  const courier = async (key: string) =>
    desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/courier', {
      ...of(local.id, key),
      body: { courier_info: { dispatch_type: 'immediate', number_of_package: 1 } },
    })
  const [labels, sent] = [await buy('labels-1'), await courier('courier-1')]
  expect([labels.status, sent.status]).toEqual([200, 200])
  // Only the labels, the courier and the carrier's account were asked of anybody outside.
  const used = async () =>
    (await desk.owner.query(`select hits from rate_limits where limit_key like 'provider:%' and hits > 2`))
      .rows
  expect(await used()).toEqual([{ hits: 3 }])
  await desk.owner.query(
    `update rate_limits set hits = 120, resets_at = now() + interval '1 hour' where limit_key like 'provider:%'`,
  )

  const [again, sentAgain] = [await buy('labels-1'), await courier('courier-1')]
  expect(again.body.data.map(({ tracking_code: code }) => code)).toEqual(
    labels.body.data.map(({ tracking_code: code }) => code),
  )
  expect([again.status, sentAgain.status, sentAgain.text]).toEqual([200, 200, sent.text])
  // The account as it is needs no question to the carrier.
  await connectCarrier(desk, busy)
  const [bought, called] = [await buy('labels-2'), await courier('courier-2')]
  expect([bought.refusal.code, called.refusal.code]).toEqual(['too_many_requests', 'too_many_requests'])
})
