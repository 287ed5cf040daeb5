import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { cloneDatabase, type ClonedDatabase } from '../../test/database/cloned-database.ts'
import { eventually } from '../../test/eventually.ts'
import { openDatabase, type Database } from '../platform/db/database.ts'
import { startWebhookDelivery } from './deliver-webhooks.ts'

let database: ClonedDatabase
let processes: Database[]
let receiver: http.Server
let ids: string[]
let answer: (response: http.ServerResponse) => void
const loops: ReturnType<typeof startWebhookDelivery>[] = []

const webhooks = { allowLoopback: true, seal: (text: string) => text, open: (sealed: string) => sealed }
const fail = (error: unknown) => {
  throw error
}

beforeAll(async () => {
  database = await cloneDatabase()
  processes = [1, 2].map(() => openDatabase(database.address, () => undefined))
  receiver = http.createServer((request, response) => {
    ids.push(String(request.headers['webhook-id']))
    request.resume().on('end', () => answer(response))
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
  answer = (response) => response.writeHead(204).end()
  await database.owner.query('delete from outbox')
})

// A loop left running by a failed test would send the next test's events.
afterEach(stop)

async function addEvents(count: number, attempts = 0): Promise<void> {
  await database.owner.query(
    `insert into outbox (merchant_id, kind, payload, position, webhook_due_at, webhook_attempts)
     select 'shop', 'order.updated', json_build_object('id', n::text), nextval('outbox_positions'), now(), $2
     from generate_series(1, $1) as n`,
    [count, attempts],
  )
}

function start(...chosen: (Database | undefined)[]): void {
  for (const db of chosen) if (db) loops.push(startWebhookDelivery({ db, webhooks, onError: fail }))
}
async function stop(): Promise<void> {
  await Promise.all(loops.splice(0).map((loop) => loop.stop()))
}

const undone = async () =>
  (await database.owner.query('select 1 from outbox where webhook_done_at is null')).rows.length

test('two processes share the events, and each is sent once', async () => {
  await addEvents(300)
  start(...processes)
  await eventually(async () => expect(await undone()).toBe(0))
  await stop()
  expect(ids).toHaveLength(300)
  expect(new Set(ids).size).toBe(300)
})

test('a stop interrupts the present delivery, and leaves it to the next start', async () => {
  answer = () => undefined
  await addEvents(1)
  start(...processes)
  await eventually(() => expect(ids).toHaveLength(1))
  await stop()
  const { rows } = await database.owner.query(
    'select webhook_error, webhook_due_at <= now() as is_due, webhook_done_at from outbox',
  )
  expect(rows).toEqual([
    { webhook_error: 'The server was stopped while sending', is_due: true, webhook_done_at: null },
  ])
  answer = (response) => response.writeHead(200).end()
  start(...processes)
  await eventually(async () => expect(await undone()).toBe(0))
  await stop()
  expect(ids[1]).toBe(ids[0])
})

test('a try that lost its lease writes nothing over the next one', async () => {
  const asked: http.ServerResponse[] = []
  answer = (response) => asked.push(response)
  await addEvents(1)
  const [late, heir] = processes
  start(late)
  await eventually(() => expect(ids).toHaveLength(1))
  // The lease runs out while the receiver has not answered.
  await database.owner.query('update outbox set webhook_due_at = now()')
  start(heir)
  await eventually(() => expect(ids).toHaveLength(2))
  asked[0]?.writeHead(503).end()
  await loops[0]?.stop()
  const { rows } = await database.owner.query(
    'select webhook_attempts, webhook_error, webhook_done_at from outbox',
  )
  expect(rows).toEqual([{ webhook_attempts: 2, webhook_error: null, webhook_done_at: null }])
  asked[1]?.writeHead(204).end()
  await eventually(async () => expect(await undone()).toBe(0))
})

test('after the last try an event is given up, and the reason is stored', async () => {
  answer = (response) => response.writeHead(503).end()
  await addEvents(1, 9)
  start(...processes)
  await eventually(async () => expect(await undone()).toBe(0))
  await stop()
  const { rows } = await database.owner.query('select webhook_attempts, webhook_error from outbox')
  expect(rows).toEqual([{ webhook_attempts: 10, webhook_error: 'The receiver answered 503' }])
})
