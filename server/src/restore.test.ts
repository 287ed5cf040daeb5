import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Order } from '@cellarhand/contract/orders'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { startAppOn } from '../test/app-on.ts'
import { urlOf } from '../test/database-url.ts'
import {
  applicationCredential,
  marketplaceCredential,
  openDesk,
  password,
  type Desk,
  type Shop,
} from '../test/desk.ts'
import { takeStep } from '../test/order-steps.ts'
import { anOrder } from '../test/orders.ts'
import { startFile } from '../test/run-command.ts'
import { openSlowWire } from '../test/slow-wire.ts'
import { poolOptions, type DatabaseAddress } from './platform/db/database.ts'
import { manifestName, type Manifest } from './platform/backup/manifest.ts'

const minutesMs = 180_000
const marker = 'the note that the wire waits for'
const own = {
  DEMO: '0',
  PUBLIC_URL: 'https://desk.example.com',
  SESSION_SECRET: 'x'.repeat(32),
  APP_CREDENTIAL: 'dashboard:a-secret-of-its-own',
  MARKETPLACE_CREDENTIAL: 'marketplace:another-secret',
  LOG_LEVEL: 'silent',
}

let desk: Desk
let shop: Shop
let folder: string
let admin: pg.Pool
let first: Order
const made: string[] = []
const receiver = http.createServer()
const received: { id: string; body: string }[] = []

beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
  folder = await mkdtemp(join(tmpdir(), 'cellarhand-restore-'))
  admin = new pg.Pool({
    ...poolOptions({ ...inject('databaseServer'), database: 'postgres' }, undefined),
    pipeline: false,
  } as pg.PoolConfig)
  receiver.on('request', (request: http.IncomingMessage, response: http.ServerResponse) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => {
      received.push({ id: String(request.headers['webhook-id']), body })
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const { port } = receiver.address() as AddressInfo
  await desk.call('PUT /marketplace/v1/webhook', {
    as: marketplaceCredential,
    body: { url: `http://127.0.0.1:${port}/hook`, secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` },
  })
  first = await desk.order(shop, { gift_message: { message: marker } })
  await takeStep(desk, shop, { order: first, step: 'accept' })
  await desk.orders(shop, 4)
  expect((await run('backup', ['--to', join(folder, 'backup')], addressOf(desk))).code).toBe(0)
}, minutesMs)
afterAll(async () => {
  await desk.stop()
  receiver.closeAllConnections()
  receiver.close()
  for (const name of made) await admin.query(`drop database if exists ${name} with (force)`)
  await admin.end()
  await rm(folder, { recursive: true })
})

const addressOf = (of: Desk): DatabaseAddress => ({
  ...inject('databaseServer'),
  database: of.owner.options.database ?? new URL(of.owner.options.connectionString ?? '').pathname.slice(1),
})

async function emptyDatabase(): Promise<string> {
  const name = `test_again_${process.pid}_${made.length}`
  made.push(name, `${name}_restoring`, `${name}_replaced`)
  await admin.query(`create database ${name}`)
  return name
}

const at = (database: string): DatabaseAddress => ({ ...inject('databaseServer'), database })

async function run(command: string, args: readonly string[], database: DatabaseAddress | string) {
  return start(command, args, database).ended
}

function start(command: string, args: readonly string[], database: DatabaseAddress | string) {
  const url = typeof database === 'string' ? database : urlOf(database)
  return startFile('admin.ts', {
    args: [command, ...args],
    env: { DATABASE_URL: url, DEMO: '1', DATA_DIR: join(folder, 'data') },
  })
}

const fromBackup = () => ['--from', join(folder, 'backup')]

async function query<T extends object>(database: string, text: string): Promise<T[]> {
  const client = new pg.Client({
    ...poolOptions(at(database), undefined),
    pipeline: false,
  } as pg.ClientConfig)
  await client.connect()
  try {
    return (await client.query<T>(text)).rows
  } finally {
    await client.end()
  }
}

/** Starts the server as a shop would, and asks it whether it is ready for as long as it lives. */
async function tryToStart(env: Record<string, string>) {
  const probe = net.createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  const { child, ended } = startFile('main.ts', { env: { ...own, ...env, PORT: String(port) } })
  let wasReady = false
  while (child.exitCode === null && child.signalCode === null && !wasReady) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
    await answer?.body?.cancel()
    wasReady = answer?.status === 200
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  child.kill('SIGTERM')
  return { ...(await ended), wasReady }
}

/** The database may be what it was before the restore, and nothing else. */
async function expectRefused(database: string): Promise<void> {
  const server = await tryToStart({ DATABASE_URL: urlOf(at(database)) })
  expect(server).toMatchObject({ wasReady: false, code: 1 })
  expect(server.err).toMatch(/being restored from a backup .*run it again: npm run admin -- restore --from/)
  const command = await run(
    'create-user',
    ['--email', 'a@b.example', '--first-name', 'A', '--last-name', 'B'],
    at(database),
  )
  expect(command).toMatchObject({ code: 1, err: expect.stringContaining('being restored') })
}

async function expectWhole(database: string): Promise<void> {
  const [{ n } = { n: 0 }] = await query<{ n: number }>(database, 'select count(*)::int as n from orders')
  expect(n).toBe(5)
  const { wasReady } = await tryToStart({ DATABASE_URL: urlOf(at(database)) })
  expect(wasReady).toBe(true)
}

const ways = [
  { way: 'beside', flags: [] as string[] },
  { way: 'in place', flags: ['--in-place'] },
]

test.for(ways)(
  'a restore whose rows take longer than a request’s statement may take is not cut short, $way',
  { timeout: minutesMs },
  async ({ flags }) => {
    const name = await emptyDatabase()
    const limitMs = 400
    const wire = await openSlowWire({ limitMs, holdAt: marker })
    const { ended } = start('restore', [...fromBackup(), ...flags], wire.urlOf(name))
    await Promise.race([wire.held, ended])
    await new Promise((resolve) => setTimeout(resolve, 3 * limitMs))
    wire.letGo()
    const { code, err, out } = await ended
    wire.stop()
    expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining('Copying the rows') })
    expect(out).toMatch(/rows of \d+ tables are back/)
    const indexes = `select indexdef from pg_indexes where schemaname = 'public' and tablename not like 'kysely%' order by indexname`
    expect(await query(name, indexes)).toEqual((await desk.owner.query(indexes)).rows)
    const references = `select conrelid::regclass::text, conname, pg_get_constraintdef(oid) from pg_constraint where contype in ('f', 'p', 'u') order by 1, 2`
    expect(await query(name, references)).toEqual((await desk.owner.query(references)).rows)
  },
)

test.for(ways)(
  'a restore that is killed in the middle leaves nothing that starts, and is done again, $way',
  { timeout: minutesMs },
  async ({ flags }) => {
    const name = await emptyDatabase()
    const wire = await openSlowWire({ limitMs: 15_000, holdAt: marker })
    const { child, ended } = start('restore', [...fromBackup(), ...flags], wire.urlOf(name))
    await Promise.race([wire.held, ended])
    const second = await run('restore', [...fromBackup(), ...flags], at(name))
    expect(second).toMatchObject({ code: 1, err: expect.stringContaining('Another restore') })
    child.kill('SIGKILL')
    await ended
    wire.stop()
    await expectRefused(name)
    await vi.waitFor(
      async () =>
        expect(await run('restore', [...fromBackup(), ...flags], at(name))).toMatchObject({ code: 0 }),
      { timeout: minutesMs, interval: 200 },
    )
    await expectWhole(name)
    const { rows } = await admin.query('select datname from pg_database where datname like $1', [`${name}%`])
    expect(rows).toEqual([{ datname: name }])
  },
)

test(
  'a restore into an embedded database that fails in the middle is refused at the start, and is done again',
  async () => {
    const from = join(folder, 'backup')
    const file = join(from, manifestName)
    const whole = await readFile(file, 'utf8')
    const dataDir = join(folder, 'embedded')
    const env = { DATABASE_URL: '', DATA_DIR: dataDir }
    const restore = async () =>
      startFile('admin.ts', { args: ['restore', '--from', from], env: { ...own, ...env } }).ended
    const manifest = JSON.parse(whole) as Manifest
    const tables = manifest.tables.map((table) =>
      table.name === 'outbox' ? { ...table, rows: table.rows + 1 } : table,
    )
    await writeFile(file, JSON.stringify({ ...manifest, tables }))
    const failed = await restore()
    await writeFile(file, whole)
    expect(failed).toMatchObject({
      code: 1,
      err: expect.stringMatching(/The restore failed: outbox: .* rows/),
    })
    const refused = await tryToStart(env)
    expect(refused).toMatchObject({
      wasReady: false,
      code: 1,
      err: expect.stringContaining('being restored'),
    })
    expect(await restore()).toMatchObject({ code: 0 })
    expect((await tryToStart(env)).wasReady).toBe(true)
  },
  minutesMs,
)

test(
  'a login that may not create databases is told so, leaves no mark, and restores in place',
  async () => {
    const name = await emptyDatabase()
    const login = `test_plain_${process.pid}`
    await admin.query(`create role ${login} login password 'plain'`)
    try {
      await admin.query(`grant cellarhand_app, cellarhand_system to ${login}`)
      await admin.query(`alter database ${name} owner to ${login}`)
      const url = new URL(urlOf(at(name)))
      url.searchParams.delete('password')
      if (url.searchParams.has('user')) url.searchParams.set('user', login)
      else url.username = login
      if (url.hostname) url.password = 'plain'
      const refused = await run('restore', fromBackup(), url.href)
      expect(refused).toMatchObject({
        code: 1,
        err: expect.stringMatching(/may not create databases.*--in-place/),
      })
      expect(await query(name, `select to_regclass('restore_under_way') as mark`)).toEqual([{ mark: null }])
      const restored = await run('restore', [...fromBackup(), '--in-place'], url.href)
      expect(restored).toMatchObject({ code: 0 })
      expect(await query(name, 'select held_at is not null as held from webhook_endpoint')).toEqual([
        { held: true },
      ])
      expect(await query(name, 'select count(*)::int as n from sessions where ended_at is null')).toEqual([
        { n: 0 },
      ])
    } finally {
      await admin.query(`drop database if exists ${name} with (force)`)
      await admin.query(`drop role ${login}`)
    }
  },
  minutesMs,
)

test(
  'a database that somebody uses, or that has rights of its own, is not replaced',
  async () => {
    const name = await emptyDatabase()
    const console = new pg.Client({ ...poolOptions(at(name), undefined), pipeline: false } as pg.ClientConfig)
    await console.connect()
    const busy = await run('restore', fromBackup(), at(name))
    await console.end()
    expect(busy).toMatchObject({ code: 1, err: expect.stringMatching(/Somebody is connected/) })
    await admin.query(`grant connect on database ${name} to public`)
    const special = await run('restore', fromBackup(), at(name))
    expect(special).toMatchObject({ code: 1, err: expect.stringMatching(/rights or settings .*--in-place/) })
    expect(await run('restore', [...fromBackup(), '--in-place'], at(name))).toMatchObject({ code: 0 })
  },
  minutesMs,
)

interface Life {
  readonly orders: Order[]
}

/** Orders come in and are changed, at whatever server. */
async function live(url: string, count: number): Promise<Life> {
  const orders: Order[] = []
  for (let place = 0; place < count; place++) {
    const reply = await fetch(`${url}/marketplace/v1/orders`, {
      method: 'POST',
      headers: { authorization: marketplaceCredential, 'content-type': 'application/json' },
      body: JSON.stringify(anOrder(shop.key)),
    })
    expect(reply.status).toBe(201)
    orders.push((await reply.json()) as Order)
  }
  return { orders }
}

async function tell(url: string, status: string): Promise<Order> {
  const reply = await fetch(`${url}/marketplace/v1/orders/${first.id}/status`, {
    method: 'POST',
    headers: { authorization: marketplaceCredential, 'content-type': 'application/json' },
    body: JSON.stringify({ status }),
  })
  expect(reply.status).toBe(200)
  return (await reply.json()) as Order
}

const versionOf = ({ body }: { body: string }) => {
  const { data } = JSON.parse(body) as { data: { id: string; version: number } }
  return data.id === first.id ? data.version : 0
}

test(
  'two desks restored from one backup give no webhook id, order number, position or version that was given before',
  async () => {
    const lives = [(await live(desk.url, 5)).orders]
    await tell(desk.url, 'CANCELLED')
    await vi.waitFor(() => expect(received).toHaveLength(12), { timeout: 20_000 })
    const [position] = (await desk.owner.query<{ max: string }>('select max(position) from outbox')).rows
    let lastPosition = Number(position?.max)
    for (const _again of [1, 2]) {
      const name = await emptyDatabase()
      expect(await run('restore', fromBackup(), at(name))).toMatchObject({ code: 0 })
      const newest = Math.max(...received.map(versionOf))
      const told = received.length
      const { app, url } = await startAppOn(at(name))
      try {
        lives.push((await live(url, 5)).orders)
        const changed = await tell(url, 'PAYMENT_DECLINED')
        expect(changed.version).toBeGreaterThan(newest)
        await vi.waitFor(async () => {
          const due = await app.db.systemQuery(
            'select 1 from outbox where webhook_due_at is not null and webhook_done_at is null',
          )
          expect(due.length).toBeGreaterThanOrEqual(6)
        })
        expect(received).toHaveLength(told)
        expect((await run('held', [], at(name))).out).toMatch(
          /[1-9]\d* wait, until: npm run admin -- release/,
        )
        expect((await run('release', [], at(name))).code).toBe(0)
        await vi.waitFor(() => expect(received.length).toBeGreaterThanOrEqual(told + 6), { timeout: 20_000 })
        const [from] = await app.db.systemQuery<{ position: number }>(
          'select min(position) as position from outbox',
        )
        expect(from?.position).toBeGreaterThan(lastPosition + 1)
        const [to] = await app.db.systemQuery<{ position: number }>(
          'select max(position) as position from outbox',
        )
        lastPosition = to?.position ?? Infinity
      } finally {
        await app.close()
      }
    }
    const numbers = lives.flat().map(({ id }) => id)
    expect(new Set(numbers).size).toBe(15)
    const bodies = new Map<string, string>()
    for (const { id, body } of received) expect(bodies.get(id) ?? body).toBe((bodies.set(id, body), body))
  },
  minutesMs,
)

test(
  'after a restore nobody is signed in, no link works, and what waited at the backup does not go out by itself',
  async () => {
    const source = await openDesk()
    try {
      const its = await source.openShop()
      const order = await source.order(its)
      await source.owner.query(
        `insert into outgoing_mails (mail_id, recipient, subject, letter_sealed, due_at) values ('m-1', 'ada@example.com', 'Your download is ready', 'sealed', now() + interval '1 hour')`,
      )
      await source.owner.query(
        `insert into one_time_tokens (token_hash, purpose, user_id, expires_at) values ('hash', 'set_password', $1, now() + interval '1 day')`,
        [its.member.id],
      )
      await source.owner.query(
        `insert into batches (merchant_id, batch_id, report_types, requested_by, base_url, total_count) values ($1, 'b-1', '{labels}', $2, 'http://x', 1)`,
        [its.key, its.member.id],
      )
      await source.owner.query(
        `insert into batch_orders (merchant_id, batch_id, position, asked, order_id) values ($1, 'b-1', 1, $2, $2)`,
        [its.key, order.id],
      )
      await source.owner.query(
        `insert into jobs (merchant_id, job_id, kind, payload, due_at) values ($1, 'j-1', 'labels', '{}', now() + interval '1 hour')`,
        [its.key],
      )
      await source.owner.query(
        `insert into label_purchases (merchant_id, purchase_id, order_id, state, provider, provider_account, actor, lease_until)
         values ($1, '00000000-0000-4000-8000-000000000001', $2, 'running', 'elsewhere', 'a', '{}', now() + interval '1 hour')`,
        [its.key, order.id],
      )
      await source.owner.query(
        `insert into shipping_labels (merchant_id, purchase_id, box, order_id, state, weight, insurance, shipment, rate)
         values ($1, '00000000-0000-4000-8000-000000000001', 1, $2, 'quoted', 3, 0, 'shp_1', 'rate_1')`,
        [its.key, order.id],
      )
      const from = join(folder, 'waiting')
      expect((await run('backup', ['--to', from], addressOf(source))).code).toBe(0)
      const name = await emptyDatabase()
      expect(await run('restore', ['--from', from], at(name))).toMatchObject({ code: 0 })

      const { app, url } = await startAppOn(at(name))
      try {
        const session = { headers: { authorization: `Bearer ${its.member.token}` } }
        expect((await fetch(`${url}/a/v2/sessions`, session)).status).toBe(401)
        const again = await fetch(`${url}/a/v2/sessions`, {
          method: 'POST',
          headers: { authorization: applicationCredential, 'content-type': 'application/json' },
          body: JSON.stringify({ email: its.member.email, password }),
        })
        expect(again.status).toBe(201)
        const news = await fetch(`${url}/v1/documents/merchant_dashboard_news`)
        expect(await news.text()).toContain('restored from a backup')
      } finally {
        await app.close()
      }
      expect(await query(name, 'select 1 from one_time_tokens where used_at is null')).toEqual([])
      expect(await query(name, 'select 1 from jobs')).toEqual([])
      expect(await query(name, 'select state from shipping_labels')).toEqual([{ state: 'buying' }])
      const held = await run('held', [], at(name))
      expect(held.out).toContain('to ada@example.com: Your download is ready')
      expect(held.out).toMatch(/Batches that the restore ended.*: 1/)
      expect(held.out).toContain('1 label purchases')
      expect((await run('release', [], at(name))).out).toContain('Mails dropped: ')
      expect(
        await query(name, 'select 1 from outgoing_mails where sent_at is null and given_up_at is null'),
      ).toEqual([])
    } finally {
      await source.stop()
    }
  },
  minutesMs,
)
