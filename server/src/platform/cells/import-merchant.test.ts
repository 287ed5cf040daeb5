import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTwoCells, type TwoCells } from '../../../test/cells.ts'
import { done, runHere } from '../../../test/processes/run-command.ts'
import { exportIdOf } from '../../../test/moving-marketplace.ts'
import { minutesMs } from '../../../test/database/restore-room.ts'
import { liveSettings, marketplaceCredential, type Shop } from '../../../test/desk.ts'
import { anOrder } from '../../../test/orders.ts'
import type { MerchantManifest } from './manifest.ts'

let cells: TwoCells
let shop: Shop
let good: string
let copies = 0
beforeAll(async () => {
  cells = await openTwoCells()
  shop = await cells.old.desk.openShop('harbor')
  await cells.old.desk.orders(shop, 3)
  await start()
  good = await exported('good')
}, minutesMs)
afterAll(() => cells.stop(), minutesMs)

const of = () => ['--merchant', shop.key]
const start = () => done(cells.old.admin('move-merchant', ...of(), '--start', '--seconds', '600'))

async function exported(name: string, withKey = true): Promise<string> {
  const { old, folder, keyFile } = cells
  const key = withKey ? ['--key-file', keyFile] : []
  await done(old.admin('export-merchant', ...of(), '--to', join(folder, name), ...key))
  return join(folder, name)
}

async function changed(change: (folder: string) => Promise<unknown>): Promise<string> {
  const copy = join(cells.folder, `copy-${copies++}`)
  await cp(good, copy, { recursive: true })
  await change(copy)
  return copy
}

const inManifest = (change: (manifest: MerchantManifest) => object) =>
  changed(async (folder) => {
    const path = join(folder, 'manifest.json')
    const manifest = JSON.parse(await readFile(path, 'utf8')) as MerchantManifest
    await writeFile(path, JSON.stringify({ ...manifest, ...change(manifest) }))
  })

const take = (folder: string, keyFile = cells.keyFile) =>
  cells.other.admin('import-merchant', '--from', folder, '--key-file', keyFile)

/** The rows of all tables of the new cell, but for those that its own server writes meanwhile. */
async function bookOf(): Promise<string> {
  const { rows } = await cells.other.desk.owner.query<{ book: string }>(
    `select string_agg(name || ' ' || n, ', ' order by name) as book from (
       select c.relname as name, (xpath('/row/n/text()', query_to_xml(format('select count(*) as n from %I', c.relname), false, true, '')))[1]::text as n
       from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
         and c.relname not in ('sessions', 'rate_limits', 'known_networks', 'provider_health', 'jobs', 'duty_checks')) counted`,
  )
  return rows[0]?.book ?? ''
}

test(
  'an import refuses, with a sentence, what it cannot take whole, and changes nothing',
  async () => {
    const { old, other, folder } = cells
    const table = 'tables/orders.json'
    const wrongKey = join(folder, 'wrong.key')
    await writeFile(wrongKey, 'another-key-that-is-long-enough-to-be-taken-for-one')
    const shortKey = join(folder, 'short.key')
    await writeFile(shortKey, 'short')
    const before = await bookOf()
    const tries: [string, string, string?][] = [
      [await changed((copy) => rm(join(copy, table))), 'tables/orders.json in .* is missing'],
      [await changed((copy) => writeFile(join(copy, table), '[]\n')), 'tables/orders.json in .* is damaged'],
      [await changed((copy) => rm(join(copy, 'manifest.json'))), 'is no finished export'],
      [await inManifest(({ migrations }) => ({ migrations: migrations.slice(0, -1) })), 'another version'],
      [
        await inManifest(() => ({ format: 'cellarhand-merchant-2' })),
        'no export of a merchant that this version',
      ],
      [await inManifest(() => ({ is_final: false })), 'went on working in its cell'],
      [
        await inManifest(({ tables }) => ({
          tables: tables.map((each) => ({ ...each, rows: each.rows + 1 })),
        })),
        'rows of .* arrived',
      ],
      [await exported('without-key', false), 'made without a key'],
      [await exported('again'), 'not the one of this export', wrongKey],
      [good, 'fewer than 32 characters', shortKey],
    ]
    for (const [from, sentence, keyFile] of tries) {
      const { code, err } = await take(from, keyFile)
      expect([code, err]).toEqual([1, expect.stringMatching(sentence)])
    }
    // A person with an account here: whose it is does not change by an import.
    const person = await other.desk.addPerson(null, undefined)
    await other.desk.owner.query('update users set email = $2, email_key = $2 where user_id = $1', [
      person.id,
      shop.owner.email,
    ])
    const taken = await take(good)
    expect([taken.code, taken.err]).toEqual([1, expect.stringContaining(shop.owner.email)])
    await other.desk.owner.query('delete from users where user_id = $1', [person.id])

    // An order of another shop with the same number: callers know an order by its number alone.
    const stranger = await other.desk.openShop('stranger')
    const order = await other.desk.order(stranger)
    const { rows } = await old.desk.owner.query<{ order_id: string }>('select order_id from orders limit 1')
    for (const name of ['orders', 'order_search', 'order_history'])
      await other.desk.owner.query(`update ${name} set order_id = $2 where order_id = $1`, [
        order.id,
        rows[0]?.order_id,
      ])
    const clash = await take(good)
    expect([clash.code, clash.err]).toEqual([1, expect.stringContaining('number-orders')])
    for (const name of ['orders', 'order_search', 'order_history'])
      await other.desk.owner.query(`update ${name} set order_id = $2 where order_id = $1`, [
        rows[0]?.order_id,
        order.id,
      ])
    const { rows: left } = await other.desk.owner.query('select 1 from orders where merchant_id = $1', [
      shop.key,
    ])
    expect([left, before.includes('orders 0')]).toEqual([[], true])
    const { rows: people } = await other.desk.owner.query('select 1 from users where merchant_id = $1', [
      shop.key,
    ])
    expect(people).toEqual([])
  },
  minutesMs,
)

/** The hash of the demo’s password at the lowest cost. */
const hashOfDemo =
  '$argon2id$v=19$m=8,t=1,p=1$LCvHZis8ZhDkW0rDg+3OKw$pEgnIdZi9MIs4pfuNUrIF8ueQa7w4hS7zmkhtJKHDvw'

test(
  'the demo’s accounts do not come into a cell outside the demo, where everybody could enter them',
  async () => {
    const { old, other, folder, keyFile } = cells
    const owner =
      'update users set email = $2, email_key = $2, password_hash = coalesce($3, password_hash) where user_id = $1 returning password_hash'
    const { rows } = await old.desk.owner.query<{ password_hash: string }>(
      'select password_hash from users where user_id = $1',
      [shop.owner.id],
    )
    await old.desk.owner.query(owner, [shop.owner.id, 'owner@demo.test', hashOfDemo])
    const from = await exported('of-demo')
    const env = {
      ...liveSettings,
      SEALING_KEY: other.sealingKey,
      DATA_DIR: join(folder, 'two'),
      DATABASE_URL: other.databaseUrl,
    }
    const refused = await runHere(['import-merchant', '--from', from, '--key-file', keyFile], { env })
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringMatching(/demo's password.*: owner@demo\.test\. Nothing was changed\..*set-password/),
    ])
    const there = 'select 1 from users where merchant_id = $1'
    expect((await other.desk.owner.query(there, [shop.key])).rows).toEqual([])
    // In the demo itself everybody may enter.
    await done(take(from))
    await done(other.admin('remove-merchant', ...of()))
    // With a password of its own the account may come under the same address.
    await old.desk.owner.query(owner, [shop.owner.id, 'owner@demo.test', rows[0]?.password_hash])
    await done(
      runHere(['import-merchant', '--from', await exported('of-owner'), '--key-file', keyFile], { env }),
    )
    await done(other.admin('remove-merchant', ...of()))
    await old.desk.owner.query(owner, [shop.owner.id, shop.owner.email, null])
  },
  minutesMs,
)

test(
  'a move that takes too long opens the shop again, and cannot be finished after that; an import can be taken back',
  async () => {
    const { old, other } = cells
    const id = await exportIdOf(join(cells.folder, 'again'))
    const last = ['move-merchant', ...of(), '--to', other.desk.url]
    expect((await old.admin(...last, '--export', await exportIdOf(good))).err).toContain(
      'a later export was made',
    )
    await done(take(join(cells.folder, 'again')))
    // Its time is over: the first change opens it.
    await old.desk.owner.query(`update merchant_moves set until = now() where merchant_id = $1`, [shop.key])
    const place = () =>
      old.desk.call('POST /marketplace/v1/orders', { as: marketplaceCredential, body: anOrder(shop.key) })
    expect((await place()).status).toBe(201)
    const late = await old.admin(...last, '--export', id)
    expect([late.code, late.err]).toEqual([1, expect.stringContaining('It works here as before')])

    expect((await take(good)).err).toContain('here already')
    expect((await old.admin('remove-merchant', ...of())).err).toContain('works here')
    await done(other.admin('remove-merchant', ...of()))
    await start()
    const again = await exported('second')
    await done(old.admin('move-merchant', ...of(), '--abort'))
    expect((await place()).status).toBe(201)
    expect((await old.admin(...last, '--export', await exportIdOf(again))).code).toBe(1)
    expect((await old.admin('move-merchant', ...of(), '--abort')).err).toContain('not on its way')
    expect((await old.admin('move-merchant', ...of(), '--start', '--abort')).code).toBe(2)
  },
  minutesMs,
)

test(
  'a shop comes back to the cell that it left, and is removed where it was',
  async () => {
    const { old, other, folder, keyFile } = cells
    const move = async (from: typeof old, to: typeof old, name: string) => {
      await done(from.admin('move-merchant', ...of(), '--start', '--seconds', '600'))
      await done(from.admin('export-merchant', ...of(), '--to', join(folder, name), '--key-file', keyFile))
      await done(to.admin('import-merchant', '--from', join(folder, name), '--key-file', keyFile))
      const id = await exportIdOf(join(folder, name))
      await done(from.admin('move-merchant', ...of(), '--to', to.desk.url, '--export', id))
      await done(to.admin('move-merchant', ...of(), '--open'))
      await done(from.admin('remove-merchant', ...of()))
    }
    await move(old, other, 'there')
    await move(other, old, 'back')
    const placed = await old.desk.call('POST /marketplace/v1/orders', {
      as: marketplaceCredential,
      body: anOrder(shop.key),
    })
    expect(placed.status).toBe(201)
    const { rows } = await old.desk.owner.query('select 1 from orders where merchant_id = $1', [shop.key])
    expect(rows).toHaveLength(6)
  },
  minutesMs,
)

test('a cell numbers its orders from a multiple of 1,000,000,000, by which a restore knows them', async () => {
  const { other } = cells
  const refused = await other.admin('number-orders', '--from', '2500000000')
  expect([refused.code, refused.err]).toEqual([
    expect.any(Number),
    expect.stringContaining('multiple of 1000000000'),
  ])
  expect(refused.code).not.toBe(0)
  await done(other.admin('number-orders', '--from', '7000000000'))
  const stranger = await other.desk.openShop('numbered')
  expect((await other.desk.order(stranger)).id).toBe('7000000000')
})

test('a table that no slice knows stops the export, and one of merchants goes along', async () => {
  const { old, folder, keyFile } = cells
  await old.desk.owner.query(
    'create table crates (crate_id bigint generated always as identity primary key, label text)',
  )
  const of = ['--merchant', shop.key]
  const refused = await old.admin('export-merchant', ...of, '--to', join(folder, 'crates'))
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringContaining('The table crates has no merchant_id'),
  ])
  await old.desk.owner.query('alter table crates add column merchant_id text')
  await old.desk.owner.query("insert into crates (merchant_id, label) values ($1, 'a'), ('other', 'b')", [
    shop.key,
  ])
  await old.desk.owner.query('grant select on crates to cellarhand_system')
  await done(old.admin('export-merchant', ...of, '--to', join(folder, 'crates'), '--key-file', keyFile))
  expect(JSON.parse(await readFile(join(folder, 'crates', 'tables', 'crates.json'), 'utf8'))).toEqual([
    { label: 'a', merchant_id: shop.key },
  ])
  await old.desk.owner.query('drop table crates')
})

test('every table that moves can be read and written by the role that moves it', async () => {
  const manifest = JSON.parse(await readFile(join(good, 'manifest.json'), 'utf8')) as MerchantManifest
  const { rows } = await cells.old.desk.owner.query(
    `select name, privilege from unnest($1::text[]) name, unnest(array['select', 'insert', 'delete']) privilege
     where not has_table_privilege('cellarhand_system', name, privilege)`,
    [manifest.tables.map(({ name }) => name)],
  )
  expect(rows).toEqual([])
})

test('no secret of a person or a provider has a column that leaves in the clear', async () => {
  const { rows } = await cells.old.desk.owner.query<{ place: string }>(
    `select table_name || '.' || column_name as place from information_schema.columns
     where table_schema = 'public' and column_name ~ '(sealed|password_hash|code_hash|token_hash|network_hash|link_hash)$'`,
  )
  const manifest = JSON.parse(await readFile(join(good, 'manifest.json'), 'utf8')) as MerchantManifest
  const moving = new Set(manifest.tables.map(({ name }) => name))
  const closed = manifest.tables.flatMap(({ name, secrets }) => secrets.map((column) => `${name}.${column}`))
  expect(
    rows
      .map(({ place }) => place)
      .filter((place) => moving.has(place.split('.')[0] ?? ''))
      .toSorted(),
  ).toEqual(closed.toSorted())
})
