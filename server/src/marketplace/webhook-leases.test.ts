import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { cloneDatabase, type ClonedDatabase } from '../../test/database/cloned-database.ts'
import { createTurnedClock } from '../../test/turned-clock.ts'
import { holdRows } from '../../test/database/held-rows.ts'
import { letTimeTurn } from '../../test/database/turned-time.ts'
import { eventually } from '../../test/eventually.ts'
import { openDatabase, type Database } from '../platform/db/database.ts'
import { claimEvents, makeDueAgain } from '#platform/events/event-queue.ts'
import { startWebhookDelivery, type GivenUp } from './deliver-webhooks.ts'
import { listGivenUp } from './reads.ts'
import { takeEvents } from './webhook-tries.ts'

const clock = createTurnedClock()
let database: ClonedDatabase
let turnDatabase: (ms: number) => Promise<void>
let processes: Database[]
let receiver: http.Server
let ids: string[]
let answer: (response: http.ServerResponse, id: string) => void
let givenUp: GivenUp[]
const loops: ReturnType<typeof startWebhookDelivery>[] = []

const webhooks = { allowLoopback: true, seal: (text: string) => text, open: (sealed: string) => sealed }
const fail = (error: unknown) => {
  throw error
}

beforeAll(async () => {
  database = await cloneDatabase()
  turnDatabase = (await letTimeTurn(database)).turn
  processes = [1, 2].map(() => openDatabase(database.address, { clock, onIdleError: () => undefined }))
  receiver = http.createServer((request, response) => {
    const id = String(request.headers['webhook-id'])
    ids.push(id)
    request.resume().on('end', () => answer(response, id))
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const { port } = receiver.address() as AddressInfo
  await database.owner.query('insert into webhook_endpoint (url, secret_sealed) values ($1, $2)', [
    `http://127.0.0.1:${port}/`,
    `whsec_${Buffer.alloc(32).toString('base64')}`,
  ])
})
afterAll(async () => {
  receiver.closeAllConnections()
  receiver.close()
  for (const process of processes) await process.close()
  await database.drop()
})
beforeEach(async () => {
  ids = []
  givenUp = []
  answer = (response) => response.writeHead(204).end()
  await database.owner.query('delete from outbox')
})

// A loop left running by a failed test would send the next test's events.
afterEach(stop)

/** Of as many orders. */
async function addEvents(count: number, attempts = 0): Promise<void> {
  await database.owner.query(
    `insert into outbox (merchant_id, kind, payload, position, webhook_due_at, webhook_attempts)
     select 'shop', 'order.updated', json_build_object('id', n::text), nextval('outbox_positions'), now(), $2
     from generate_series(1, $1) as n`,
    [count, attempts],
  )
}

/** Which was tried so often: after the second failure it waits for five minutes. */
async function addEventOf(order: string, id: string, attempts = 0): Promise<void> {
  await database.owner.query(
    `insert into outbox (merchant_id, kind, payload, position, webhook_due_at, webhook_id, webhook_attempts)
     values ('shop', 'order.updated', json_build_object('id', $1::text), nextval('outbox_positions'), now(), $2, $3)`,
    [order, id, attempts],
  )
}

interface Stored {
  webhook_id: string
  webhook_attempts: number
  webhook_done_at: Date | null
  webhook_error: string | null
  waits: number
}

async function stored(id: string): Promise<Stored | undefined> {
  const { rows } = await database.owner.query<Stored>(
    `select webhook_id, webhook_attempts, webhook_done_at, webhook_error, extract(epoch from webhook_due_at - now())::float8 as waits
     from outbox where webhook_id = $1`,
    [id],
  )
  return rows[0]
}

function start(...chosen: (Database | undefined)[]): void {
  for (const db of chosen)
    if (db)
      loops.push(
        startWebhookDelivery({ db, webhooks, onGivenUp: (event) => givenUp.push(event), onError: fail }),
      )
}
async function stop(): Promise<void> {
  await Promise.all(loops.splice(0).map((loop) => loop.stop()))
}

/** Repeats a check until it passes. The loops look at once, and not only every second. */
const soon = async <T>(check: () => T | Promise<T>): Promise<T> =>
  eventually(() => {
    for (const loop of loops) loop.wake()
    return check()
  })

const undone = async () =>
  (await database.owner.query('select 1 from outbox where webhook_done_at is null')).rows.length

test('an event that is being sent right now is not sent again beside that, and an internal one never', async () => {
  await addEventOf('1000001', 'evt_leased')
  await addEventOf('1000002', 'evt_internal')
  const change = (what: string, id: string) =>
    database.owner.query(`update outbox set ${what} where webhook_id = $1`, [id])
  await change("webhook_is_leased = true, webhook_due_at = now() + interval '1 hour'", 'evt_leased')
  await change('is_internal = true, webhook_due_at = null', 'evt_internal')
  for (const id of ['evt_leased', 'evt_internal'])
    expect([id, await makeDueAgain(processes[0] ?? fail('none'), id)]).toEqual([id, 0])
})

test('of two processes that take at once, the second sees what the first has taken', async () => {
  for (const id of ['evt_first', 'evt_second']) await addEventOf('1000001', id)
  const held = await holdRows(database, 'select from webhook_endpoint for no key update')
  const takes = processes.map((db) => takeEvents(db, 2))
  await held.waiting(2)
  await held.release()
  const taken = (await Promise.all(takes)).flatMap(({ events }) => events.map((event) => event.webhook_id))
  expect(taken).toEqual(['evt_first'])
})

test('two processes share the events, and each is sent once', async () => {
  await addEvents(300)
  start(...processes)
  await soon(async () => expect(await undone()).toBe(0))
  await stop()
  expect(ids).toHaveLength(300)
  expect(new Set(ids).size).toBe(300)
})

test('a stop interrupts the present delivery, and leaves it to the next start', async () => {
  answer = () => undefined
  await addEvents(1)
  start(...processes)
  await soon(() => expect(ids).toHaveLength(1))
  await stop()
  const { rows } = await database.owner.query(
    'select webhook_error, webhook_due_at <= now() as is_due, webhook_done_at from outbox',
  )
  expect(rows).toEqual([
    { webhook_error: 'The server was stopped while sending', is_due: true, webhook_done_at: null },
  ])
  answer = (response) => response.writeHead(200).end()
  start(...processes)
  await soon(async () => expect(await undone()).toBe(0))
  await stop()
  expect(ids[1]).toBe(ids[0])
})

test('a try that lost its lease writes nothing over the next one', async () => {
  const asked: http.ServerResponse[] = []
  answer = (response) => asked.push(response)
  await addEvents(1)
  const [late, heir] = processes
  start(late)
  await soon(() => expect(ids).toHaveLength(1))
  // Its lease ran out while the receiver thought, and another process has the event.
  await database.owner.query(
    `update outbox set webhook_fence = webhook_fence + 1, webhook_due_at = now() + interval '1 hour'`,
  )
  asked[0]?.writeHead(503).end()
  await stop()
  const { rows } = await database.owner.query(
    'select webhook_attempts, webhook_error, webhook_done_at, webhook_is_leased from outbox',
  )
  expect(rows).toEqual([
    { webhook_attempts: 1, webhook_error: null, webhook_done_at: null, webhook_is_leased: true },
  ])
  answer = (response) => response.writeHead(204).end()
  await database.owner.query('update outbox set webhook_due_at = now()')
  start(heir)
  await soon(async () => expect(await undone()).toBe(0))
})

test('of one order no event is taken while another process sends an earlier one', async () => {
  let finish = () => {}
  answer = (response, id) => {
    const take = () => response.writeHead(204).end()
    if (id === 'evt_first') finish = take
    else take()
  }
  await addEventOf('slow', 'evt_first')
  start(processes[0])
  await soon(() => expect(ids).toEqual(['evt_first']))
  await addEventOf('slow', 'evt_second')
  // More than are taken at once, and few enough to be sent before the first one's time for an answer is over.
  await addEvents(50)
  start(processes[1])
  await soon(async () => expect(await undone()).toBe(2))
  expect((await stored('evt_second'))?.webhook_attempts).toBe(0)
  finish()
  await soon(async () => expect(await undone()).toBe(0))
  expect(ids.filter((id) => id.startsWith('evt_first') || id === 'evt_second')).toEqual([
    'evt_first',
    'evt_second',
  ])
})

/** Each of the shop's events is of the order that the expression over `n` names. */
async function addMany(shop: string, count: number, order: string): Promise<void> {
  await database.owner.query(
    `insert into outbox (merchant_id, kind, payload, position, webhook_due_at, webhook_id)
     select $1, 'order.updated', json_build_object('id', (${order})::text), nextval('outbox_positions'),
       now() - interval '1 minute', $1 || ' ' || n
     from generate_series(1, $2) n`,
    [shop, count],
  )
}

/** More than the sender looks at of one order or merchant. */
const crowd = 250

test.each([
  ['another shop', 'calm', '1000002'],
  ['another order of the same shop, which is older', 'busy', '1000000'],
  ['another order of the same shop, which is newer', 'busy', '1000002'],
])(
  'hundreds of events of one order arrive in their order, and an event of %s goes beside the first of them',
  async (_whose, calm, order) => {
    await addMany('busy', crowd, '1000001')
    await database.owner.query(
      `insert into outbox (merchant_id, kind, payload, position, webhook_due_at, webhook_id)
       values ($1, 'order.updated', json_build_object('id', $2::text), nextval('outbox_positions'), now(), 'evt_calm')`,
      [calm, order],
    )
    start(...processes)
    await soon(async () => expect(await undone()).toBe(0))
    expect(ids.indexOf('evt_calm')).toBeLessThan(20)
    const own = ids.filter((id) => id !== 'evt_calm')
    expect(own).toEqual(Array.from({ length: crowd }, (_, index) => `busy ${index + 1}`))
  },
)

test('merchants come in turn: an event of a shop does not wait behind hundreds of another shop’s orders', async () => {
  await addMany('busy', crowd, 'n')
  await addMany('calm', 2, '0')
  start(...processes)
  await soon(async () => expect(await undone()).toBe(0))
  expect(ids.indexOf('calm 1')).toBeLessThan(50)
  expect(ids.indexOf('calm 2')).toBeLessThan(100)
})

test('a shop is not passed over for many others whose only order is under way at other processes', async () => {
  await database.owner.query(
    `insert into outbox (merchant_id, kind, payload, position, webhook_id, webhook_is_leased, webhook_due_at)
     select 'busy' || n, 'order.updated', json_build_object('id', n::text), nextval('outbox_positions'), 'busy ' || n || event,
       event = 'under way', now() + case event when 'under way' then interval '1 hour' else interval '-1 hour' end
     from generate_series(1, 60) n, unnest(array['under way', 'next']) event`,
  )
  await addEventOf('calm', 'evt_calm')
  start(processes[0])
  await soon(() => expect(ids).toEqual(['evt_calm']))
})

test('a shop that is on its way to another cell keeps no other shop’s event waiting', async () => {
  await addMany('leaving', 1, 'n')
  await addEventOf('calm', 'evt_calm')
  await database.owner.query(
    `insert into merchant_moves (merchant_id, state, until) values ('leaving', 'leaving', now() + interval '1 hour')`,
  )
  try {
    const [db] = processes
    const taken = await db?.system((statements) => claimEvents(statements, 1))
    expect(taken?.map((event) => event.webhook_id)).toEqual(['evt_calm'])
  } finally {
    await database.owner.query('delete from merchant_moves')
  }
})

test('an event stays with its process while that lives, and goes to the others within ten seconds when it dies', async () => {
  answer = () => undefined
  await addEventOf('slow', 'evt_held')
  start(...processes)
  await soon(() => expect(ids).toHaveLength(1))
  const leaseEnd = async () =>
    (
      await database.owner.query<{ end: Date; seconds: number }>(
        `select webhook_due_at as end, extract(epoch from webhook_due_at - now())::float8 as seconds from outbox`,
      )
    ).rows[0]
  const taken = await leaseEnd()
  // The next look of another process comes within a second.
  expect(taken?.seconds).toBeLessThan(9)
  await turnDatabase(2_000)
  clock.turn(2_000)
  await soon(async () => expect((await leaseEnd())?.end.getTime()).toBeGreaterThan(taken?.end.getTime() ?? 0))
  expect((await stored('evt_held'))?.webhook_attempts).toBe(1)
})

test('after a success what an outage has put off goes at once, in its order, and uses up no try', async () => {
  answer = (response) => response.writeHead(503).end()
  await addEventOf('one', 'evt_1', 1)
  await addEventOf('one', 'evt_2', 1)
  await addEventOf('two', 'evt_3', 1)
  start(processes[0])
  await soon(async () => {
    for (const id of ['evt_1', 'evt_2', 'evt_3'])
      expect(await stored(id)).toMatchObject({
        webhook_attempts: 2,
        webhook_error: 'The receiver answered 503',
      })
  })
  ids = []
  answer = (response) => response.writeHead(204).end()
  await addEventOf('three', 'evt_4')
  await soon(async () => expect(await undone()).toBe(0))
  expect(ids[0]).toBe('evt_4')
  expect(ids.toSorted()).toEqual(['evt_1', 'evt_2', 'evt_3', 'evt_4'])
  expect(ids.indexOf('evt_1')).toBeLessThan(ids.indexOf('evt_2'))
  expect((await stored('evt_1'))?.webhook_attempts).toBe(2)
})

test('an event that is refused alone is not hurried by the others, and neither is one that the receiver wants later', async () => {
  answer = (response, id) => {
    if (id === 'evt_later') response.writeHead(429, { 'retry-after': '600' }).end()
    else if (id === 'evt_refused') response.writeHead(500).end()
    else response.writeHead(204).end()
  }
  const taken = async (id: string) => {
    await addEventOf('other', id)
    await soon(async () => expect((await stored(id))?.webhook_done_at).not.toBeNull())
  }
  start(processes[0])
  await taken('evt_a')
  await addEventOf('refused', 'evt_refused', 1)
  await soon(async () => expect((await stored('evt_refused'))?.webhook_error).toContain('500'))
  await taken('evt_b')
  await taken('evt_c')
  expect((await stored('evt_refused'))?.waits).toBeGreaterThan(100)

  // Two failures in a row look like an outage.
  await addEventOf('later', 'evt_later')
  await soon(async () => expect((await stored('evt_later'))?.webhook_error).toContain('429'))
  await database.owner.query(`update outbox set webhook_due_at = now() where webhook_id = 'evt_refused'`)
  await soon(() => expect(ids.filter((id) => id === 'evt_refused')).toHaveLength(2))
  await soon(async () => expect((await stored('evt_refused'))?.waits).toBeGreaterThan(100))
  await taken('evt_d')
  await soon(() => expect(ids.filter((id) => id === 'evt_refused')).toHaveLength(3))
  expect((await stored('evt_later'))?.waits).toBeGreaterThan(100)
  // One that was brought forward would have been put off by the receiver once more.
  expect(ids.filter((id) => id === 'evt_later')).toHaveLength(1)
})

test('after the last try an event is given up: it is told, listed with the reason, and sent again under its id when the operator wants it', async () => {
  answer = (response) => response.writeHead(503).end()
  await addEvents(1, 9)
  start(...processes)
  await soon(async () => expect(await undone()).toBe(0))
  await soon(() => expect(givenUp).toHaveLength(1))
  const { rows } = await database.owner.query('select webhook_attempts, webhook_error from outbox')
  expect(rows).toEqual([{ webhook_attempts: 10, webhook_error: 'The receiver answered 503' }])
  const db = processes[0] as Database
  const listed = await listGivenUp(db)
  expect(listed).toMatchObject([
    { webhook_id: ids[0], merchant_id: 'shop', order_id: '1', webhook_error: 'The receiver answered 503' },
  ])
  expect(givenUp).toMatchObject([
    { webhookId: ids[0], merchantId: 'shop', error: 'The receiver answered 503' },
  ])

  answer = (response) => response.writeHead(204).end()
  expect(await makeDueAgain(db)).toBe(1)
  await soon(async () => expect(await undone()).toBe(0))
  expect(ids).toEqual([ids[0], ids[0]])
  expect(await listGivenUp(db)).toEqual([])
  expect(await makeDueAgain(db)).toBe(0)
  // A single one, also when it was taken.
  expect(await makeDueAgain(db, ids[0])).toBe(1)
  await soon(() => expect(ids).toHaveLength(3))
  expect(await makeDueAgain(db, 'evt_nobody')).toBe(0)
})
