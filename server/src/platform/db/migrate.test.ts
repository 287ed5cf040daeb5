import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterEach, expect, inject, test } from 'vitest'
import { cloneDatabase } from '../../../test/database/cloned-database.ts'
import { eventually } from '../../../test/eventually.ts'
import { poolOptions, type DatabaseAddress } from './database.ts'
import { patientClient } from './patient-client.ts'
import { beginMigrated, migrate, migrationLock } from './migrate.ts'
import { HalfRestored, restoreMark } from './restore-mark.ts'

const server = inject('databaseServer')
const undo: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step()
})

async function emptyDatabase(): Promise<DatabaseAddress> {
  const name = `test_migrate_${randomUUID().replaceAll('-', '')}`
  const admin = patientClient({ ...server, database: 'postgres' }, undefined)
  await admin.connect()
  await admin.query(`create database ${name}`)
  undo.push(
    () => admin.end(),
    () => admin.query(`drop database ${name} with (force)`),
  )
  return { ...server, database: name }
}

/** With the limits of a server's connections. */
async function connect(address: DatabaseAddress): Promise<pg.Client> {
  const client = new pg.Client({ ...poolOptions(address, undefined), pipeline: false } as pg.ClientConfig)
  client.on('error', () => undefined)
  await client.connect()
  undo.push(() => client.end())
  return client
}

/** The database as a release before the last migrations left it. */
async function databaseUpTo(migration: string): Promise<DatabaseAddress> {
  const address = await emptyDatabase()
  const client = patientClient(address, undefined)
  await client.connect()
  const transaction = await beginMigrated(client)
  await transaction.migrate(migration)
  await transaction.commit()
  await client.end()
  return address
}

const outcomeOf = (work: Promise<string[]>) =>
  work.then(
    () => 'migrated',
    (error: unknown) => error,
  )

/** Resolves when another connection waits for a lock that this one holds. */
async function somebodyWaits(holder: pg.Client): Promise<void> {
  await eventually(async () => {
    const { rowCount } = await holder.query(
      'select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))',
    )
    expect(rowCount).toBe(1)
  })
}

const newEvent = `insert into outbox (merchant_id, kind, payload) values ('shop', 'order.updated', '{}')`

test('the release before a migration starts on the newer schema, and leaves it as it is', async () => {
  const database = await cloneDatabase()
  undo.push(() => database.drop())
  const executed = () => database.owner.query('select name, timestamp from kysely_migration order by name')
  await database.owner.query(
    `insert into kysely_migration (name, timestamp) values ('9998-of-a-newer-release', '2999-01-01T00:00:00.000Z'), ('9999-of-a-newer-release', '2999-01-01T00:00:01.000Z')`,
  )
  const { rows: before } = await executed()
  expect(await migrate(database.address)).toEqual([])
  expect((await executed()).rows).toEqual(before)
  // One that is missing among this release's own is a damaged folder.
  await database.owner.query(
    `update kysely_migration set name = '0003-unknown' where name = '9998-of-a-newer-release'`,
  )
  await expect(migrate(database.address)).rejects.toThrow('it changed nothing')
})

test('when its database stops, a migration fails without ending the process', async () => {
  const { address, owner, drop } = await cloneDatabase()
  const client = await owner.connect()
  // The first migrating process holds this table, and the others wait for it.
  await client.query('begin')
  await client.query('lock table kysely_migration in access exclusive mode')
  const outcome = outcomeOf(migrate(address))
  const stop = `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await eventually(async () => expect((await owner.query(stop)).rowCount).toBe(1))
  expect(String(await outcome)).toContain('terminating connection')
  await client.query('rollback')
  client.release()
  await drop()
})

test('while a backup reads, a starting server waits for it, and orders can still change', async () => {
  const address = await databaseUpTo('0028-parcel-events-by-age')
  const backup = await connect(address)
  await backup.query('begin isolation level repeatable read read only')
  await backup.query('select from outbox limit 1')
  const outcome = outcomeOf(migrate(address))
  await somebodyWaits(backup)
  const desk = await connect(address)
  await desk.query(newEvent)
  await backup.query('commit')
  expect(await outcome).toBe('migrated')
  await desk.query(newEvent)
})

test('a migration lets a change pass that has read the merchant and then writes its event', async () => {
  const address = await databaseUpTo('0028-parcel-events-by-age')
  const desk = await connect(address)
  await desk.query('begin')
  await desk.query('select from merchants limit 1')
  const outcome = outcomeOf(migrate(address))
  await somebodyWaits(desk)
  await desk.query(newEvent)
  await desk.query('commit')
  expect(await outcome).toBe('migrated')
})

test('a migration that loses a deadlock is repeated', async () => {
  const address = await databaseUpTo('0030-batches-that-wait')
  const desk = await connect(address)
  await desk.query(`set deadlock_timeout = '1h'`)
  await desk.query('begin')
  await desk.query('lock table kysely_migration in share mode')
  const outcome = outcomeOf(migrate(address))
  // The desk holds the outbox, and waits to write that it was there.
  await somebodyWaits(desk)
  await desk.query(newEvent)
  await desk.query('commit')
  expect(await outcome).toBe('migrated')
})

test('an index that was not finished is named at each start, with the statement that finishes it', async () => {
  const address = await databaseUpTo('0094-first-day-to-leave')
  const owner = await connect(address)
  await owner.query(
    "set lock_timeout = '100ms'; create table numbers (n integer); insert into numbers values (1), (1)",
  )
  // PostgreSQL leaves an index behind that is not valid, as after a lost connection.
  await expect(
    owner.query('create unique index concurrently order_history_of_returns on numbers (n)'),
  ).rejects.toThrow()
  const said: string[] = []
  expect(await migrate(address, (line) => said.push(line))).toContain('0095-bottles-came-back')
  expect(said).toEqual([expect.stringContaining('reindex index concurrently order_history_of_returns')])
  await owner.query('delete from numbers; reindex index order_history_of_returns')
  await migrate(address, (line) => said.push(line))
  expect(said).toHaveLength(1)
})

test('a server that began to start before a restore’s mark does not turn the database into an empty shop', async () => {
  const address = await emptyDatabase()
  const restore = await connect(address)
  await restore.query(`select pg_advisory_lock(${migrationLock})`)
  const outcome = outcomeOf(migrate(address))
  await somebodyWaits(restore)
  await restore.query(`create table ${restoreMark} (begun_at timestamptz, documents text)`)
  await restore.query(`select pg_advisory_unlock(${migrationLock})`)
  expect(await outcome).toBeInstanceOf(HalfRestored)
})

test('the lock is the one of Kysely’s migrator, the only lock that other releases take', async () => {
  const address = await emptyDatabase()
  const holder = await connect(address)
  await holder.query(`select pg_advisory_lock(${migrationLock})`)
  const client = await connect(address)
  const transaction = await beginMigrated(client)
  const migrated = transaction.migrate()
  await somebodyWaits(holder)
  await holder.query(`select pg_advisory_unlock(${migrationLock})`)
  expect((await migrated).length).toBeGreaterThan(0)
  await transaction.commit()
})

test('a merchant of before the rules goes on closing orders as it is used to; one that comes later has no such row', async () => {
  const address = await databaseUpTo('0043-quoted-labels')
  const owner = await connect(address)
  const merchant = (id: string) =>
    owner.query(
      `insert into merchants (merchant_id, name, email, primary_phone, address, contacts, timezone)
       values ($1, 'Shop', 'shop@example.com', '+12125550123', '{}', '{}', 'America/New_York')`,
      [id],
    )
  await merchant('before')
  await migrate(address)
  await merchant('later')
  const { rows } = await owner.query('select merchant_id, was, closing, decided_by from closing_decisions')
  expect(rows).toEqual([{ merchant_id: 'before', was: null, closing: 'recorded', decided_by: null }])
})

test('events and replies of before their weeks stay as they are, and numbers go on', async () => {
  const address = await databaseUpTo('0097-back-in-the-shop')
  const client = patientClient(address, undefined)
  await client.connect()
  undo.push(() => client.end())
  await client.query(
    `insert into outbox (merchant_id, kind, payload, position, occurred_at)
     select 'shop', 'order.updated', '{}', nextval('outbox_positions'), now() - days * interval '1 day' from generate_series(1, 60) days`,
  )
  await client.query(
    `insert into idempotent_replies (merchant_id, scope, idempotency_key, request_hash, status, reply)
     values ('shop', 's', 'k', 'h', 200, 'first')`,
  )
  const rows = async () => {
    const { rows: events } = await client.query('select * from outbox order by event_id')
    const { rows: replies } = await client.query('select * from idempotent_replies')
    return { events, replies }
  }
  const before = await rows()
  await migrate(address)
  expect(await rows()).toEqual(before)
  const { rows: next } = await client.query<{ event_id: string; webhook_id: string }>(
    `insert into outbox (merchant_id, kind, payload) values ('shop', 'k', '{}') returning event_id, webhook_id`,
  )
  expect(Number(next[0]?.event_id)).toBe(61)
  expect(next[0]?.webhook_id).toMatch(/^evt_[0-9a-f-]{36}$/)
})

test('an event that is added while the migration waits gets a number of its own', async () => {
  const address = await databaseUpTo('0098-replies-by-week')
  const desk = await connect(address)
  const add = async () => {
    const { rows } = await desk.query<{ event_id: string }>(
      `insert into outbox (merchant_id, kind, payload) values ('shop', 'k', '{}') returning event_id`,
    )
    return Number(rows[0]?.event_id)
  }
  await desk.query('begin')
  const first = await add()
  const outcome = outcomeOf(migrate(address))
  await somebodyWaits(desk)
  const second = await add()
  await desk.query('commit')
  expect(await outcome).toBe('migrated')
  expect([second, await add()]).toEqual([first + 1, first + 2])
})
