import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { marketplaceCredential, openTurnableDesk, type Shop, type TurnableDesk } from '../../../test/desk.ts'
import { eventually } from '../../../test/eventually.ts'
import { anOrder } from '../../../test/orders.ts'
import { poolOptions, type DatabaseAddress } from '../db/database.ts'
import { keepParts } from './keep-parts.ts'

const dayMs = 86_400_000

let desk: TurnableDesk
let shop: Shop
let address: DatabaseAddress
beforeAll(async () => {
  desk = await openTurnableDesk()
  shop = await desk.openShop()
  const { rows } = await desk.owner.query<{ database: string }>('select current_database() as database')
  address = { ...inject('databaseServer'), database: rows[0]?.database ?? '' }
})
afterAll(() => desk.stop())

/** The server's own hourly work may just have a table in hand, and its statements another. */
const keep = () =>
  eventually(async () => {
    const kept = await keepParts(address, desk.upkeep)
    expect(kept.skipped).toBe(0)
    return kept
  })

async function sql<T extends object>(text: string, values: unknown[] = []): Promise<T[]> {
  return (await desk.owner.query<T>(text, values)).rows
}

/** The parts of a table with their number of rows, the oldest first. */
async function partsWithRows(table: string): Promise<Record<string, number>> {
  const parts = await sql<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = $1::regclass order by 1`,
    [table],
  )
  const counted = parts.map(async ({ name }) => {
    const [row] = await sql<{ n: number }>(`select count(*)::int as n from parts.${name}`)
    return [name, row?.n ?? 0] as const
  })
  return Object.fromEntries(await Promise.all(counted))
}

const placeOrder = (key: string, body: string) =>
  fetch(`${desk.url}/marketplace/v1/orders`, {
    method: 'POST',
    headers: {
      authorization: marketplaceCredential,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body,
  })

async function addEvent(days: number, { isDone = true, isForWebhook = true } = {}): Promise<string> {
  const [row] = await sql<{ event_id: string }>(
    `insert into outbox (merchant_id, kind, payload, occurred_at, position, webhook_due_at, webhook_done_at)
     values ($1, 'k', '{}', now() - make_interval(days => $2), nextval('outbox_positions'),
       case when $3 then now() + interval '900 days' end, case when $4 then now() end) returning event_id`,
    [shop.key, days, isForWebhook, isForWebhook && isDone],
  )
  return String(row?.event_id)
}

const eventsThere = async (ids: readonly string[]) =>
  (
    await sql<{ event_id: string }>(
      'select event_id from outbox where event_id = any($1::bigint[]) order by event_id',
      [ids],
    )
  ).map(({ event_id }) => String(event_id))

test('no role of the application reaches a part past the rules of its table', async () => {
  expect(
    await sql(
      `select c.relname, r from pg_class c, unnest(array['cellarhand_app', 'cellarhand_system']) r, unnest(array['select', 'insert', 'update', 'delete', 'truncate']) p
       where c.relnamespace = 'parts'::regnamespace and c.relkind = 'r'
         and (has_table_privilege(r, c.oid, p) or has_schema_privilege(r, 'parts', 'usage'))`,
    ),
  ).toEqual([])
})

test('a repeated request gets its first reply from the part of an earlier week, until that part is dropped', async () => {
  await keep()
  const body = JSON.stringify(anOrder(shop.key))
  const first = await placeOrder('kept-1', body)
  expect(first.status).toBe(201)
  const text = await first.text()
  await desk.turn(7 * dayMs)
  await keep()
  const again = await placeOrder('kept-1', body)
  expect([again.status, await again.text()]).toEqual([201, text])

  await desk.turn(14 * dayMs)
  await keep()
  expect(await sql("select from idempotent_replies where idempotency_key = 'kept-1'")).toEqual([])
})

test('rows that came before the part of their week are moved into it', async () => {
  const event = await addEvent(-60)
  await addEvent(0)
  await keep()
  expect(await partsWithRows('outbox')).toMatchObject({ outbox_rest: 0 })
  expect(await eventsThere([event])).toEqual([event])
  expect(
    await sql('select from outbox where event_id = $1 and tableoid <> $2::regclass', [
      event,
      'parts.outbox_rest',
    ]),
  ).toHaveLength(1)
})

test('a part of events goes once each was delivered; the newest event stays', async () => {
  await sql("insert into webhook_endpoint (url, secret_sealed) values ('https://example.invalid', 'x')")
  await sql('update outbox set webhook_done_at = now() where webhook_due_at is not null')
  // First, because the server's own hourly work may drop the others' week without it.
  const waiting = await addEvent(15, { isDone: false })
  const delivered = await addEvent(15)
  const unasked = await addEvent(15, { isForWebhook: false })
  const young = await addEvent(6)
  const newest = await addEvent(15)
  const all = [waiting, delivered, unasked, young, newest]
  await keep()
  // They share their week with an event that waits, so none of them goes.
  expect(await eventsThere(all)).toEqual(all)

  await sql('update outbox set webhook_done_at = now() where event_id = $1', [waiting])
  await keep()
  expect(await eventsThere(all), 'the newest event').toEqual(all)

  const later = await addEvent(0)
  await keep()
  expect(await eventsThere([...all, later])).toEqual([young, later])
})

test('without a receiver, an old event that waits is of no use', async () => {
  const waiting = await addEvent(15, { isDone: false })
  await addEvent(0)
  await keep()
  expect(await eventsThere([waiting])).toEqual([waiting])
  await sql('delete from webhook_endpoint')
  await keep()
  expect(await eventsThere([waiting])).toEqual([])
})

test('while a long transaction reads the table, its parts stay and the shop goes on', async () => {
  const reader = new pg.Client({ ...poolOptions(address, undefined), pipeline: false } as pg.ClientConfig)
  await reader.connect()
  await reader.query('begin')
  await reader.query('select count(*) from outbox')
  const old = await addEvent(15)
  await addEvent(0)
  const [order, { skipped }] = await Promise.all([desk.order(shop), keepParts(address, desk.upkeep)])
  expect(order.status).toBe('SUBMITTED')
  expect(skipped).toBeGreaterThan(0)
  expect(await eventsThere([old])).toEqual([old])
  await reader.query('rollback')
  await reader.end()
  await keep()
  expect(await eventsThere([old])).toEqual([])
})

test('of several processes at once, each part is made by one', async () => {
  await desk.turn(35 * dayMs)
  const made = (await Promise.all([keep(), keep(), keep()])).flatMap((kept) => kept.made)
  expect(made.toSorted()).toEqual([...new Set(made)].toSorted())
  const [found] = await sql<{ n: number }>(
    `select count(*)::int as n from pg_class where relnamespace = 'parts'::regnamespace
     and relname in (select 'outbox_' || to_char(date_trunc('week', now(), 'UTC') at time zone 'UTC' + weeks * interval '7 days', 'YYYYMMDD') from unnest(array[0, 1]) weeks)`,
  )
  expect(found?.n).toBe(2)
})

test('a login that owns the tables and is no superuser, so that it sees no merchant’s rows, keeps the parts too', async () => {
  const login = `owner_${address.database}`
  await sql(`create role ${login} login noinherit createrole password 'plain'`)
  await sql(`grant cellarhand_app, cellarhand_system to ${login}`)
  /** One table at a time: the shop's transactions use several, and both would wait for each other. */
  const giveTo = async (owner: string) => {
    await sql(`alter schema parts owner to ${owner}`)
    const divided = await sql<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c where c.relname ~ '^(outbox|idempotent_replies)' and c.relkind in ('r', 'p')
       and c.relname <> 'outbox_publisher'`,
    )
    for (const { name } of divided) await sql(`alter table if exists ${name} owner to ${owner}`)
  }
  await giveTo(login)
  // The server's own hourly work must find both weeks in use from the start.
  await sql("insert into webhook_endpoint (url, secret_sealed) values ('https://example.invalid', 'x')")
  const waiting = await addEvent(22, { isDone: false })
  const old = await addEvent(15)
  await addEvent(0)
  const plain = async () =>
    eventually(async () => {
      const kept = await keepParts({ ...address, user: login, password: 'plain' }, desk.upkeep)
      expect(kept.skipped).toBe(0)
    })
  await plain()
  expect(await eventsThere([waiting, old]), 'an older week has to stay').toEqual([waiting, old])
  await sql('update outbox set webhook_done_at = now() where event_id = $1', [waiting])
  await plain()
  expect(await eventsThere([waiting, old])).toEqual([])
  await giveTo('current_user')
  await sql(`drop owned by ${login}`)
  await sql(`drop role ${login}`)
})
