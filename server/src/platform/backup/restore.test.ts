import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { freePort } from '../../../../scripts/launch/free-port.mjs'
import { urlOf } from '../../../test/database/database-url.ts'
import { openDesk, type Desk } from '../../../test/desk.ts'
import { eventually } from '../../../test/eventually.ts'
import { at, minutesMs, openRestoreRoom, type RestoreRoom } from '../../../test/database/restore-room.ts'
import { startFile } from '../../../test/processes/run-command.ts'
import { openSlowWire } from '../../../test/database/slow-wire.ts'
import { createFresh } from './fresh-database.ts'
import { manifestName, type Manifest } from './manifest.ts'
import { migrationLock } from '../db/migrate.ts'
import { patientOptions } from '../../../test/database/patient-options.ts'

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
let room: RestoreRoom
let backup: string

beforeAll(async () => {
  desk = await openDesk()
  const shop = await desk.openShop()
  room = await openRestoreRoom()
  await desk.order(shop, { gift_message: { message: marker } })
  await desk.orders(shop, 4)
  await desk.owner.query('insert into webhook_endpoint (url, secret_sealed) values ($1, $2)', [
    'https://marketplace.example/events',
    'sealed',
  ])
  backup = await room.backUp(desk, 'backup')
}, minutesMs)
afterAll(async () => {
  await desk.stop()
  await room.clear()
}, minutesMs)

const restore = (flags: readonly string[] = []) => ['restore', '--from', backup, ...flags]

/** Starts the server as a shop does, and asks whether it is ready until the server ends. */
async function tryToStart(env: Record<string, string>) {
  const port = await freePort()
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

/** The database may be as it was before the restore, and in no other state. */
async function expectRefused(database: string): Promise<void> {
  const server = await tryToStart({ DATABASE_URL: urlOf(at(database)) })
  expect(server).toMatchObject({ wasReady: false, code: 1 })
  expect(server.err).toMatch(/being restored from a backup .*run it again: npm run admin -- restore --from/)
  const command = await room.run(
    ['create-user', '--email', 'a@b.example', '--first-name', 'A', '--last-name', 'B'],
    database,
  )
  expect(command).toMatchObject({ code: 1, err: expect.stringContaining('being restored') })
  const copy = await room.run(['backup', '--to', join(room.folder, database)], database)
  expect(copy).toMatchObject({ code: 1, err: expect.stringContaining('being restored') })
}

async function expectWhole(database: string): Promise<void> {
  const [{ n } = { n: 0 }] = await room.query<{ n: number }>(
    database,
    'select count(*)::int as n from orders',
  )
  expect(n).toBe(5)
  const { wasReady } = await tryToStart({ DATABASE_URL: urlOf(at(database)) })
  expect(wasReady).toBe(true)
}

async function openClient(database: string): Promise<pg.Client> {
  const client = new pg.Client(patientOptions(at(database)))
  client.on('error', () => undefined)
  await client.connect()
  return client
}

const ways = [
  { way: 'beside', flags: [] as string[] },
  { way: 'in place', flags: ['--in-place'] },
]

test.for(ways)(
  'a restore whose rows take longer than a request’s limit is not interrupted, $way',
  { timeout: minutesMs },
  async ({ flags }) => {
    const name = await room.emptyDatabase()
    const limitMs = 400
    const wire = await openSlowWire({ limitMs, holdAt: marker })
    const { ended } = room.start(restore(flags), { url: wire.urlOf(name) })
    await Promise.race([wire.held, ended])
    await new Promise((resolve) => setTimeout(resolve, 3 * limitMs))
    wire.letGo()
    const { code, err, out } = await ended
    wire.stop()
    expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining('Copying the rows') })
    expect(out).toMatch(/rows of \d+ tables are back/)
    const indexes = `select indexdef from pg_indexes where schemaname = 'public' and tablename not like 'kysely%' order by indexname`
    expect(await room.query(name, indexes)).toEqual((await desk.owner.query(indexes)).rows)
    const references = `select conrelid::regclass::text, conname, pg_get_constraintdef(oid) from pg_constraint where contype in ('f', 'p', 'u') order by 1, 2`
    expect(await room.query(name, references)).toEqual((await desk.owner.query(references)).rows)
  },
)

test.for(ways)(
  'after a kill in the middle of a restore no server starts, and the restore can be repeated, $way',
  { timeout: minutesMs },
  async ({ flags }) => {
    const name = await room.emptyDatabase()
    const wire = await openSlowWire({ limitMs: 15_000, holdAt: marker })
    const { child, ended } = room.start(restore(flags), { url: wire.urlOf(name) })
    await Promise.race([wire.held, ended])
    const second = await room.run(restore(flags), name)
    expect(second).toMatchObject({ code: 1, err: expect.stringContaining('Another restore') })
    child.kill('SIGKILL')
    await ended
    wire.stop()
    await expectRefused(name)
    await vi.waitFor(async () => expect(await room.run(restore(flags), name)).toMatchObject({ code: 0 }), {
      timeout: minutesMs,
      interval: 200,
    })
    await expectWhole(name)
    const { rows } = await room.admin.query('select datname from pg_database where datname like $1', [
      `${name}%`,
    ])
    expect(rows).toEqual([{ datname: name }])
  },
)

test(
  'after a failed restore into an embedded database no server starts, and the restore can be repeated',
  async () => {
    const file = join(backup, manifestName)
    const whole = await readFile(file, 'utf8')
    const dataDir = join(room.folder, 'embedded')
    const env = { DATABASE_URL: '', DATA_DIR: dataDir }
    const restoreHere = async () => startFile('admin.ts', { args: restore(), env: { ...own, ...env } }).ended
    const manifest = JSON.parse(whole) as Manifest
    const tables = manifest.tables.map((table) =>
      table.name === 'outbox' ? { ...table, rows: table.rows + 1 } : table,
    )
    await writeFile(file, JSON.stringify({ ...manifest, tables }))
    const failed = await restoreHere()
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
    expect(await restoreHere()).toMatchObject({ code: 0 })
    expect((await tryToStart(env)).wasReady).toBe(true)
  },
  minutesMs,
)

test(
  'a login that may not create databases reads so, leaves no mark, and restores in place',
  async () => {
    const name = await room.emptyDatabase()
    const login = `test_plain_${process.pid}`
    await room.admin.query(`create role ${login} login password 'plain'`)
    try {
      await room.admin.query(`grant cellarhand_app, cellarhand_system to ${login}`)
      await room.admin.query(`alter database ${name} owner to ${login}`)
      const url = new URL(urlOf(at(name)))
      url.searchParams.delete('password')
      if (url.searchParams.has('user')) url.searchParams.set('user', login)
      else url.username = login
      if (url.hostname) url.password = 'plain'
      const refused = await room.run(restore(), { url: url.href })
      expect(refused).toMatchObject({
        code: 1,
        err: expect.stringMatching(/may not create databases.*--in-place/),
      })
      expect(await room.query(name, `select to_regclass('restore_under_way') as mark`)).toEqual([
        { mark: null },
      ])
      const restored = await room.run(restore(['--in-place']), { url: url.href })
      expect(restored).toMatchObject({ code: 0 })
      expect(await room.query(name, 'select held_at is not null as held from webhook_endpoint')).toEqual([
        { held: true },
      ])
      expect(
        await room.query(name, 'select count(*)::int as n from sessions where ended_at is null'),
      ).toEqual([{ n: 0 }])
    } finally {
      await room.admin.query(`drop database if exists ${name} with (force)`)
      await room.admin.query(`drop role ${login}`)
    }
  },
  minutesMs,
)

test(
  'a restore replaces no database that is in use or has rights of its own, and drops only what a restore made',
  async () => {
    const name = await room.emptyDatabase()
    const console = await openClient(name)
    const busy = await room.run(restore(), name)
    await console.end()
    expect(busy).toMatchObject({ code: 1, err: expect.stringMatching(/Somebody is connected/) })
    await room.admin.query(`create database ${name}_restoring`)
    const taken = await room.run(restore(), name)
    expect(taken).toMatchObject({ code: 1, err: expect.stringMatching(/that no restore has made/) })
    const { rows } = await room.admin.query('select from pg_database where datname = $1', [
      `${name}_restoring`,
    ])
    expect(rows).toHaveLength(1)
    await room.admin.query(`grant connect on database ${name} to public`)
    const special = await room.run(restore(), name)
    expect(special).toMatchObject({ code: 1, err: expect.stringMatching(/rights or settings .*--in-place/) })
    expect(await room.run(restore(['--in-place']), name)).toMatchObject({ code: 0 })
  },
  minutesMs,
)

test(
  'the remains of a restore that was killed before it could mark them do not stop the next one',
  async () => {
    const name = await room.emptyDatabase()
    await room.admin.query(`create database ${name}_restoring`)
    await room.query(
      `${name}_restoring`,
      'create table restore_under_way (begun_at timestamptz, documents text)',
    )
    expect(await room.run(restore(), name)).toMatchObject({ code: 0 })
    await expectWhole(name)
  },
  minutesMs,
)

test(
  'a database that a restore is still filling is not dropped, and the restored one keeps its owner',
  async () => {
    const name = await room.emptyDatabase()
    const owner = `test_owner_${process.pid}`
    await room.admin.query(`create role ${owner}`)
    try {
      await room.admin.query(`alter database ${name} owner to ${owner}`)
      await room.admin.query(`create database ${name}_restoring`)
      await room.admin.query(
        `comment on database ${name}_restoring is 'put aside by a restore of Cellarhand'`,
      )
      const filling = await openClient(`${name}_restoring`)
      const refused = await room.run(restore(), name)
      expect(refused).toMatchObject({
        code: 1,
        err: expect.stringContaining(`Somebody is connected to "${name}_restoring"`),
      })
      expect((await filling.query('select 1 as alive')).rows).toEqual([{ alive: 1 }])
      await filling.end()
      expect(await room.run(restore(), name)).toMatchObject({ code: 0 })
      const { rows } = await room.admin.query(
        'select pg_get_userbyid(datdba) as owner from pg_database where datname = $1',
        [name],
      )
      expect(rows).toEqual([{ owner }])
    } finally {
      await room.admin.query(`drop database if exists ${name} with (force)`)
      await room.admin.query(`drop role ${owner}`)
    }
  },
  minutesMs,
)

test(
  'a shop that a server of an older release has made meanwhile is not replaced',
  async () => {
    const name = await room.emptyDatabase()
    const wire = await openSlowWire({ limitMs: 15_000, holdAt: marker })
    const { ended } = room.start(restore(), { url: wire.urlOf(name) })
    await Promise.race([wire.held, ended])
    await room.query(name, 'create table orders ()')
    wire.letGo()
    expect(await ended).toMatchObject({ code: 1, err: expect.stringContaining('no longer empty') })
    wire.stop()
    expect(await room.query(name, 'select count(*)::int as n from orders')).toEqual([{ n: 0 }])
  },
  minutesMs,
)

test('the connection that holds a restore’s lock sends a sign of life again and again', async () => {
  const name = await room.emptyDatabase()
  const fresh = await createFresh(at(name), 5)
  const keeper = `select a.query from pg_locks l join pg_stat_activity a using (pid)
    where l.locktype = 'advisory' and l.objid = (hashtext($1)::bigint & 4294967295)::oid`
  await eventually(async () => {
    const { rows } = await room.admin.query(keeper, [`cellarhand_restore ${name}`])
    expect(rows).toEqual([{ query: 'select 1' }])
  })
  await fresh.close()
})

test(
  'a restore waits for a server that is just making its tables, and leaves them alone',
  async () => {
    const name = await room.emptyDatabase()
    const server = await openClient(name)
    await server.query(`select pg_advisory_lock(${migrationLock})`)
    await server.query('begin')
    await server.query('create table orders ()')
    const { ended } = room.start(restore(['--in-place']), name)
    await eventually(async () => {
      const waiting =
        'select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))'
      expect((await server.query(waiting)).rowCount).toBe(1)
    })
    await server.query('commit')
    await server.query(`select pg_advisory_unlock(${migrationLock})`)
    expect(await ended).toMatchObject({ code: 1, err: expect.stringContaining('is not empty') })
    const { rows } = await server.query(`select to_regclass('restore_under_way') as mark`)
    await server.end()
    expect(rows).toEqual([{ mark: null }])
  },
  minutesMs,
)
