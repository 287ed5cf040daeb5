import { randomUUID } from 'node:crypto'
import { access, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Order } from '@cellarhand/contract/orders'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { startAppOn } from '../../../test/processes/app-on.ts'
import {
  applicationCredential,
  marketplaceCredential,
  openDesk,
  password,
  type Desk,
  type Shop,
} from '../../../test/desk.ts'
import { eventually } from '../../../test/eventually.ts'
import { orderIn } from '../../../test/order-steps.ts'
import { anOrder } from '../../../test/orders.ts'
import { poolOptions, type DatabaseAddress } from '../db/database.ts'
import { manifestName, readBackup, tableFile, type Manifest } from './manifest.ts'
import { removeKilledBackups, removeOldBackups } from './old-backups.ts'
import { restoreBackup, type RestoreRequest } from './restore-backup.ts'
import { writeBackup } from './write-backup.ts'
import { patientOptions } from '../../../test/database/patient-options.ts'

let desk: Desk
let shop: Shop
let folder: string
let address: DatabaseAddress
let admin: pg.Pool
const made: string[] = []

beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
  folder = await mkdtemp(join(tmpdir(), 'cellarhand-backup-'))
  const server = inject('databaseServer')
  const { rows } = await desk.owner.query<{ name: string }>('select current_database() as name')
  address = { ...server, database: rows[0]?.name ?? '' }
  admin = new pg.Pool(patientOptions({ ...server, database: 'postgres' }))
  const note = 'Zoë, \\N "quoted", a tab\there,\na line, 田中 🍷'
  await orderIn(desk, shop, { status: 'MERCHANT_ACCEPTED', gift_message: { message: note } })
  await orderIn(desk, shop, { status: 'CLOSED', method: 'on_demand' })
  await mkdir(join(folder, 'documents', 'aa'), { recursive: true })
  await writeFile(join(folder, 'documents', 'aa', 'slip.pdf'), 'a slip')
})
afterAll(async () => {
  await desk.stop()
  for (const name of made) await admin.query(`drop database if exists ${name} with (force)`)
  await admin.end()
  await rm(folder, { recursive: true })
})

async function emptyDatabase(): Promise<DatabaseAddress> {
  const name = `test_restored_${process.pid}_${made.length}`
  made.push(name)
  await admin.query(`create database ${name}`)
  return { ...inject('databaseServer'), database: name }
}

const placeIn = (name: string) => join(folder, name)

async function backUp(name: string): Promise<string> {
  await writeBackup(address, { folder: placeIn(name), documents: placeIn('documents') })
  return placeIn(name)
}

const restoreInto = (to: DatabaseAddress, request: Omit<RestoreRequest, 'upkeep'>) =>
  restoreBackup(to, { ...request, upkeep: desk.upkeep })

async function signInAt(url: string): Promise<string> {
  const reply = await fetch(`${url}/a/v2/sessions`, {
    method: 'POST',
    headers: { authorization: applicationCredential, 'content-type': 'application/json' },
    body: JSON.stringify({ email: shop.member.email, password }),
  })
  expect(reply.status).toBe(201)
  return ((await reply.json()) as { token: string }).token
}

async function readList(
  url: string,
  token: string,
): Promise<{ items: Order[]; total_rows: number; counts: unknown }> {
  const reply = await fetch(`${url}/m/v2/merchant/${shop.key}/orders/optimized`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(reply.status).toBe(200)
  return (await reply.json()) as { items: Order[]; total_rows: number; counts: unknown }
}

const asSent = (order: Order) => ({ ...order, on_track_status: null })

test('the drill: a shop continues from its backup as if nothing had happened', async () => {
  const from = await backUp('drill')
  const restored = await emptyDatabase()
  await restoreInto(restored, { folder: from, documents: placeIn('restored-documents') })
  expect(await readFile(join(placeIn('restored-documents'), 'aa', 'slip.pdf'), 'utf8')).toBe('a slip')

  const before = await readList(desk.url, shop.member.token)
  const { app, url } = await startAppOn(restored)
  try {
    const token = await signInAt(url)
    const after = await readList(url, token)
    expect(after.items.map(asSent)).toEqual(before.items.map(asSent))
    expect([after.total_rows, after.counts]).toEqual([before.total_rows, before.counts])

    const reply = await fetch(`${url}/marketplace/v1/orders`, {
      method: 'POST',
      headers: { authorization: marketplaceCredential, 'content-type': 'application/json' },
      body: JSON.stringify(anOrder(shop.key)),
    })
    expect(reply.status).toBe(201)
    const { id } = (await reply.json()) as Order
    expect(before.items.map((order) => order.id)).not.toContain(id)
    await expect.poll(async () => (await readList(url, token)).total_rows).toBe(before.total_rows + 1)
    const unforced = 'select relname from pg_class where relrowsecurity and not relforcerowsecurity'
    expect(await app.db.systemQuery(unforced)).toEqual([])
    expect(await app.db.glance('somebody-else', 'select o.* from scope cross join orders o')).toEqual([])
  } finally {
    await app.close()
  }
})

test('it holds every row of every table, while orders keep coming', async () => {
  const coming = desk.orders(shop, 30)
  const from = await backUp('busy')
  await coming
  const { tables } = JSON.parse(await readFile(join(from, manifestName), 'utf8')) as Manifest
  const rowsOf = (name: string) => tables.find((table) => table.name === name)?.rows
  expect(rowsOf('orders')).toBe(rowsOf('order_search'))
  expect(rowsOf('order_history')).toBeGreaterThanOrEqual(rowsOf('orders') ?? Infinity)
  const { rows } = await desk.owner.query<{ name: string }>(
    `select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace and relname not like 'kysely%'`,
  )
  expect(tables.map(({ name }) => name).toSorted()).toEqual(rows.map(({ name }) => name).toSorted())
})

test('a damaged or unfinished backup is refused before anything changes', async () => {
  const from = await backUp('damaged')
  const restored = await emptyDatabase()
  const restore = () => restoreInto(restored, { folder: from, documents: placeIn('elsewhere') })
  const file = join(from, tableFile('orders'))
  const whole = await readFile(file)
  await writeFile(file, whole.subarray(0, -3))
  await expect(restore()).rejects.toThrow(/orders\.copy\.gz .* is damaged/)
  await rm(file)
  await expect(restore()).rejects.toThrow(/is missing/)
  const contents = await readFile(join(from, manifestName))
  await writeFile(join(from, manifestName), contents.subarray(0, -3))
  await expect(restore()).rejects.toThrow(/manifest\.json .* is damaged/)
  await rm(join(from, manifestName))
  await expect(restore()).rejects.toThrow(/no finished backup/)
  const client = new pg.Client(poolOptions(restored, undefined))
  await client.connect()
  const { rows } = await client.query(`select from pg_class where relname = 'orders'`)
  await client.end()
  expect(rows).toEqual([])
})

test('a database in use, and a backup of another version, are refused', async () => {
  const from = await backUp('used')
  await expect(restoreInto(address, { folder: from, documents: placeIn('elsewhere') })).rejects.toThrow(
    /not empty/,
  )
  const file = join(from, manifestName)
  const manifest = JSON.parse(await readFile(file, 'utf8')) as Manifest
  await writeFile(file, JSON.stringify({ ...manifest, migrations: [...manifest.migrations, '9999-later'] }))
  await expect(
    restoreInto(await emptyDatabase(), { folder: from, documents: placeIn('elsewhere') }),
  ).rejects.toThrow(/another version .*9999-later/)
})

test('a backup continues when files vanish while it copies, and copies no drafts', async () => {
  const documents = placeIn('busy-documents')
  await mkdir(documents)
  const draft = `.${randomUUID()}.draft`
  await writeFile(join(documents, draft), 'not whole yet')
  const kept = Array.from({ length: 200 }, (_, place) => `kept-${place}.pdf`)
  for (const name of kept) await writeFile(join(documents, name), name)
  let isRunning = true
  const come = async (worker: number) => {
    for (let count = 0; isRunning; count++) {
      const path = join(documents, `label-${worker}-${count % 50}.pdf`)
      await writeFile(path, 'a label')
      await rm(path)
    }
  }
  const coming = Promise.all([come(1), come(2), come(3)])
  try {
    await writeBackup(address, { folder: placeIn('vanishing'), documents })
  } finally {
    isRunning = false
    await coming
  }
  const copied = await readdir(join(placeIn('vanishing'), 'documents'))
  expect(copied).toEqual(expect.arrayContaining(kept))
  expect(copied).not.toContain(draft)
})

test('a repeated restore deletes no document of another shop that writes there by then', async () => {
  const from = await backUp('repeated')
  const documents = placeIn('shared')
  const restored = await emptyDatabase()
  const restore = () => restoreInto(restored, { folder: from, documents })
  const file = join(from, manifestName)
  const whole = await readFile(file, 'utf8')
  const manifest = JSON.parse(whole) as Manifest
  const tables = manifest.tables.map((table) => ({ ...table, rows: table.rows + 1 }))
  await writeFile(file, JSON.stringify({ ...manifest, tables }))
  await expect(restore()).rejects.toThrow(/rows of/)
  await writeFile(file, whole)

  await mkdir(documents, { recursive: true })
  const theirs = join(documents, 'theirs.pdf')
  await writeFile(theirs, 'of another shop')
  await expect(restore()).rejects.toThrow(/another DATA_DIR/)
  expect(await readFile(theirs, 'utf8')).toBe('of another shop')
  await rm(theirs)

  // The folders of two killed restores: one after it had copied the documents, one in the middle of the copy.
  await mkdir(join(documents, 'aa'))
  await writeFile(join(documents, 'aa', 'slip.pdf'), 'a slip')
  await mkdir(join(documents, '.restoring', 'aa'), { recursive: true })
  await writeFile(join(documents, '.restoring', 'aa', 'slip.pdf'), 'half')
  await restore()
  expect((await readdir(documents, { recursive: true })).toSorted()).toEqual(['aa', join('aa', 'slip.pdf')])
  expect(await readFile(join(documents, 'aa', 'slip.pdf'), 'utf8')).toBe('a slip')
})

test('a backup uses no existing folder, and leaves nothing half done', async () => {
  await expect(writeBackup(address, { folder, documents: placeIn('documents') })).rejects.toThrow(
    /there already/,
  )
  await expect(
    writeBackup({ ...address, database: 'not_there' }, { folder: placeIn('never'), documents: '' }),
  ).rejects.toThrow('not_there')
  await expect(access(placeIn('never'))).rejects.toThrow('ENOENT')
})

test('of two backups into one folder at once, one is whole and the other is refused', async () => {
  const parent = placeIn('at once')
  const to = join(parent, 'backup')
  const begin = () => writeBackup(address, { folder: to, documents: placeIn('documents') })
  const first = begin()
  // The second begins when the first has written some of its tables.
  await eventually(async () => {
    const names = await readdir(parent, { recursive: true }).catch(() => [])
    expect(names.filter((name) => name.endsWith('.gz')).length).toBeGreaterThan(3)
  })
  const ended = await Promise.allSettled([first, begin()])
  expect(ended.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const refused = ended.find((each) => each.status === 'rejected')
  expect(String(refused?.reason)).toContain('is there already')
  const { tables, files } = await readBackup(to)
  expect(files.filter(({ path }) => path.startsWith('tables/'))).toHaveLength(tables.length)
  expect(await readdir(parent)).toEqual(['backup'])
})

test('a backup removes what a killed one for its folder has left, and --into what any has', async () => {
  const parent = placeIn('left behind')
  const leave = async (name: string, minutes: number) => {
    const draft = join(parent, `${name}.unfinished-Ab1Cd2`)
    await mkdir(join(draft, 'tables'), { recursive: true })
    const at = new Date(Date.now() - minutes * 60_000)
    await utimes(draft, at, at)
  }
  await leave('nightly', 3)
  await leave('2026-11-01T02-00-00', 3)
  // Written to at this moment, however long this test takes.
  await leave('2026-11-02T02-00-00', -60)
  await leave('of-another-program', 3)
  await writeBackup(address, { folder: join(parent, 'nightly'), documents: placeIn('documents') })
  const kept = ['2026-11-02T02-00-00.unfinished-Ab1Cd2', 'nightly', 'of-another-program.unfinished-Ab1Cd2']
  expect((await readdir(parent)).toSorted()).toEqual(['2026-11-01T02-00-00.unfinished-Ab1Cd2', ...kept])
  await removeKilledBackups(parent)
  expect((await readdir(parent)).toSorted()).toEqual(kept)
})

test('two commands that remove old backups at once remove each once, and keep the newest', async () => {
  const parent = placeIn('old ones')
  const names = Array.from({ length: 12 }, (_, index) => `2026-11-${index + 10}T02-00-00`)
  for (const name of names) {
    await mkdir(join(parent, name, 'tables'), { recursive: true })
    for (const file of ['manifest.json', 'tables/a', 'tables/b', 'tables/c'])
      await writeFile(join(parent, name, file), '')
  }
  const removed = await Promise.all([1, 2, 3].map(() => removeOldBackups(parent, 2)))
  expect(removed.flat().toSorted()).toEqual(names.slice(0, 10))
  expect(await readdir(parent)).toEqual(names.slice(10))
})
