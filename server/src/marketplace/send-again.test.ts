import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { urlOf } from '../../test/database/database-url.ts'
import { marketplaceCredential, openDesk, type Desk } from '../../test/desk.ts'
import { eventually } from '../../test/eventually.ts'
import { startLoopback, type Loopback, type LoopbackAnswer } from '../../test/processes/loopback.ts'
import { runHere } from '../../test/processes/run-command.ts'
import { cloneDatabase } from '../../test/database/cloned-database.ts'
import { systemClock } from '../platform/clock/system-clock.ts'
import { openDatabase } from '../platform/db/database.ts'
import { makeDueAgain } from '../platform/events/event-queue.ts'
import { settleTry, takeEvents } from './webhook-tries.ts'

let desk: Desk
let databaseUrl: string
let receiver: Loopback
let answer: LoopbackAnswer

beforeAll(async () => {
  desk = await openDesk()
  const { rows } = await desk.owner.query<{ name: string }>('select current_database() as name')
  databaseUrl = urlOf({ ...inject('databaseServer'), database: rows[0]?.name ?? '' })
  receiver = await startLoopback(() => answer)
})
afterAll(async () => {
  await desk.stop()
  await receiver.stop()
})
beforeEach(async () => {
  answer = { status: 204 }
  receiver.requests.length = 0
  await desk.owner.query('delete from webhook_endpoint')
  await desk.owner.query('delete from outbox')
})

const admin = (...args: string[]) => runHere(args, { env: { DATABASE_URL: databaseUrl, DEMO: '1' } })
const ids = () => receiver.requests.map(({ headers }) => headers['webhook-id'])

async function register(letter: string): Promise<void> {
  const { status } = await desk.call('PUT /marketplace/v1/webhook', {
    as: marketplaceCredential,
    body: {
      url: `${receiver.url}/hook`,
      secret: `whsec_${Buffer.alloc(32, letter).toString('base64')}`,
    },
  })
  expect(status).toBe(200)
}

const webhook = async () =>
  (await desk.call('GET /marketplace/v1/webhook', { as: marketplaceCredential })).body

/** Given up, or taken without an error. */
async function addDone(id: string, error: string | null = 'The receiver answered 503'): Promise<void> {
  await desk.owner.query(
    `insert into outbox (merchant_id, kind, payload, position, webhook_id, webhook_due_at, webhook_done_at, webhook_attempts, webhook_error)
     values ('acme', 'order.updated', '{"id":"1000017"}', nextval('outbox_positions'), $1, now(), now(), 10, $2)`,
    [id, error],
  )
}

test('two operators at once send what was given up once, in its order, and nothing else', async () => {
  await register('a')
  await addDone('evt_taken', null)
  for (const id of ['evt_1', 'evt_2', 'evt_3']) await addDone(id)
  const both = await Promise.all([admin('send-again', '--all'), admin('send-again', '--all')])
  expect(both.map(({ out }) => out).toSorted()).toEqual([
    expect.stringMatching(/sent again: 0\.\n$/),
    expect.stringMatching(/sent again: 3\.\n$/),
  ])
  await eventually(() => expect(ids()).toHaveLength(3))
  await eventually(async () => expect(await webhook()).toMatchObject({ waiting_events: 0 }))
  expect(ids()).toEqual(['evt_1', 'evt_2', 'evt_3'])
})

test('while the webhook is off, the operator reads what the events wait for; they go once, under the new secret', async () => {
  await addDone('evt_1')
  const again = async () => (await admin('send-again', '--event', 'evt_1')).out
  expect(await again()).toContain(
    'sent again: 1.\nNo webhook is registered: they go out when the marketplace registers one.',
  )
  answer = { status: 410 }
  await register('a')
  await eventually(async () => expect(await webhook()).toMatchObject({ status: 'switched_off' }))
  // The try that was refused notes its end a moment later.
  await eventually(async () =>
    expect((await desk.owner.query('select from outbox where webhook_is_leased')).rows).toEqual([]),
  )
  expect(await again()).toContain(
    'The webhook is switched off (The receiver answered 410 Gone): they go out when the marketplace registers it again.',
  )
  expect(await webhook()).toMatchObject({ status: 'switched_off', waiting_events: 1 })
  expect(ids()).toEqual(['evt_1'])

  await desk.owner.query('update webhook_endpoint set disabled_at = null, held_at = now()')
  expect(await again()).toContain('A restore holds events back: they go out after npm run admin -- release.')
  await desk.owner.query('update webhook_endpoint set disabled_at = now(), held_at = null')

  answer = { status: 204 }
  await register('b')
  await eventually(async () =>
    expect(await webhook()).toMatchObject({ status: 'active', waiting_events: 0, given_up_events: 0 }),
  )
  expect(ids()).toEqual(['evt_1', 'evt_1'])
  const { 'webhook-timestamp': at, 'webhook-signature': signature } = receiver.requests[1]?.headers ?? {}
  const text = `evt_1.${String(at)}.${receiver.requests[1]?.text}`
  expect(signature).toBe(`v1,${createHmac('sha256', Buffer.alloc(32, 'b')).update(text).digest('base64')}`)
  const last = (await admin('send-again', '--event', 'evt_1')).out
  expect(last).toMatch(/sent again: 1\.\n$/)
  await eventually(() => expect(ids()).toHaveLength(3))
})

test('a slow last try, which ends after the command, does not give the event up again', async () => {
  // Without a server, so that this test alone takes the event.
  const database = await cloneDatabase()
  const db = openDatabase(database.address, { clock: systemClock, onIdleError: () => undefined })
  try {
    await database.owner.query(
      `insert into webhook_endpoint (url, secret_sealed) values ('http://127.0.0.1:9/', 'x')`,
    )
    await database.owner.query(
      `insert into outbox (merchant_id, kind, payload, position, webhook_id, webhook_due_at, webhook_attempts)
       values ('acme', 'order.updated', '{"id":"1000017"}', nextval('outbox_positions'), 'evt_1', now(), 9)`,
    )
    const { events } = await takeEvents(db, 1)
    // Its process stood still for longer than the lease.
    await database.owner.query(`update outbox set webhook_due_at = now() - interval '1 minute'`)
    expect(await makeDueAgain(db, 'evt_1')).toBe(1)
    for (const slow of events)
      expect(await settleTry(db, slow, { error: 'The receiver answered 503' })).toBe(false)
    const { rows } = await database.owner.query(
      'select webhook_done_at, webhook_attempts, webhook_error, webhook_due_at <= now() as is_due from outbox',
    )
    expect([events.length, rows]).toEqual([
      1,
      [{ webhook_done_at: null, webhook_attempts: 0, webhook_error: null, is_due: true }],
    ])
  } finally {
    await db.close()
    await database.drop()
  }
})
