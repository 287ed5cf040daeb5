import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createSealer } from '#platform/sealed-text.ts'
import { urlOf } from '../../test/database/database-url.ts'
import { holdRows } from '../../test/database/held-rows.ts'
import { openDesk, type Desk, type Shop } from '../../test/desk.ts'
import { decideRule } from '../../test/duties-desk.ts'
import { eventually } from '../../test/eventually.ts'
import { orderIn } from '../../test/order-steps.ts'
import { runHere } from '../../test/processes/run-command.ts'
import { checkFieldsPurpose, keepCheckFields } from '#orders/public.ts'
import { purgeByRule, type Purged } from './purge-by-rule.ts'

const dayMs = 86_400_000
const recordedMs = Date.now()

let desk: Desk
beforeAll(async () => {
  desk = await openDesk()
})
afterAll(async () => desk.stop())

/** A delivery to a door in Virginia, where a rule makes the driver record the recipient. */
async function delivered(shop: Shop, state = 'VA'): Promise<string> {
  const recipient = {
    first_name: 'Dee',
    last_name: 'Nakamura',
    street_1: '1 Main St',
    city: 'Town',
    state,
    zipcode: '23219',
  }
  const { id } = await orderIn(desk, shop, { status: 'CLOSED', method: 'on_demand', recipient })
  const sealer = createSealer(desk.config.sealingKeys, checkFieldsPurpose)
  await desk.app.db.write(shop.key, (statements) =>
    keepCheckFields(statements, sealer, {
      merchantId: shop.key,
      orderId: id,
      checkedAt: new Date(recordedMs).toISOString(),
      rules: ['VA-AGE'],
      fields: { name: 'Dee Nakamura', birth_date: '1971-04-01' },
    }),
  )
  return id
}

/**
 * The purge as it runs so long after the records were made. Its own clock is turned forward, and not the server's: by
 * that one nothing is due, so its hourly work leaves the tests' records alone.
 */
async function purge(afterMs: number, isDryRun = false): Promise<Purged[]> {
  const purged: Purged[] = []
  const clock = { ...desk.app.db.clock, nowMs: () => recordedMs + afterMs }
  await purgeByRule({ ...desk.app.db, clock }, desk.upkeep, {
    isDryRun,
    onPurge: (each) => purged.push(each),
  })
  return purged
}

async function kept(shop: Shop): Promise<string[]> {
  const { rows } = await desk.owner.query<{ order_id: string }>(
    'select order_id from age_check_fields where merchant_id = $1 order by order_id',
    [shop.key],
  )
  return rows.map((row) => row.order_id)
}

/** Time goes on only: each test owns what it purges. */
const of = (shop: Shop, purged: Purged[]) =>
  purged.flatMap((each) => (each.merchantId === shop.key ? [each] : []))

test('what a rule makes the desk record is stored sealed', async () => {
  const shop = await desk.openShop()
  await delivered(shop)
  const { rows } = await desk.owner.query<{ text: string }>(
    'select age_check_fields::text as text from age_check_fields where merchant_id = $1',
    [shop.key],
  )
  // The year alone would be in a sealed text by chance.
  expect(rows[0]?.text).not.toMatch(/Nakamura|1971-04/)
})

const inThirtyDays = { decision: 'changed', value: { after_days: 30 }, reason: 'Thirty days' }

test('no unconfirmed rule purges anything', async () => {
  const shop = await desk.openShop()
  const id = await delivered(shop, 'TX')
  expect(of(shop, await purge(9_000 * dayMs))).toEqual([])
  expect(await kept(shop)).toEqual([id])
})

test('a confirmed rule purges when its days are over, and what went is named without what it held', async () => {
  const shop = await desk.openShop()
  const id = await delivered(shop, 'TX')
  await decideRule(desk, shop, { rule: 'TX-LICENCES', body: inThirtyDays })
  expect(of(shop, await purge(30 * dayMs - 1))).toEqual([])
  const expected = [
    expect.objectContaining({ kind: 'fields of an ID check', orderId: id, rule: 'TX-LICENCES' }) as Purged,
  ]
  expect(of(shop, await purge(30 * dayMs, true))).toEqual(expected)
  expect(await kept(shop)).toEqual([id])
  expect(of(shop, await purge(30 * dayMs))).toEqual(expected)
  expect(await kept(shop)).toEqual([])
  expect(of(shop, await purge(60 * dayMs))).toEqual([])
  const { rows } = await desk.owner.query<Record<string, unknown>>(
    'select * from purged where merchant_id = $1',
    [shop.key],
  )
  expect(rows).toMatchObject([{ kind: 'fields of an ID check', order_id: id, rule_id: 'TX-LICENCES' }])
  expect(JSON.stringify(rows)).not.toMatch(/Nakamura|1971-04/)
})

test('what a rule asks to keep is never purged before its years are over, and then it is', async () => {
  const shop = await desk.openShop()
  const [there, elsewhere] = [await delivered(shop, 'VA'), await delivered(shop, 'MD')]
  await decideRule(desk, shop, { rule: 'VA-RECORDS' })
  expect(of(shop, await purge(729 * dayMs))).toEqual([])
  expect(of(shop, await purge(732 * dayMs))).toMatchObject([{ orderId: there, rule: 'VA-RECORDS' }])
  expect(await kept(shop)).toEqual([elsewhere])
})

test('a rule that keeps outlasts one that purges', async () => {
  const shop = await desk.openShop()
  const id = await delivered(shop, 'TX')
  await decideRule(desk, shop, { rule: 'TX-LICENCES', body: inThirtyDays })
  await decideRule(desk, shop, { rule: 'US-RECORDS' })
  expect(of(shop, await purge(1_000 * dayMs))).toEqual([])
  await decideRule(desk, shop, {
    rule: 'US-RECORDS',
    body: { decision: 'set_aside', reason: 'No large sales' },
  })
  expect(of(shop, await purge(1_000 * dayMs))).toMatchObject([{ orderId: id, rule: 'TX-LICENCES' }])
})

test('of two processes each record is removed and named by one', async () => {
  const shop = await desk.openShop()
  const ids = [await delivered(shop, 'TX'), await delivered(shop, 'TX'), await delivered(shop, 'TX')]
  await decideRule(desk, shop, { rule: 'TX-LICENCES', body: inThirtyDays })
  const both = (await Promise.all([purge(31 * dayMs), purge(31 * dayMs)])).flat()
  expect(
    of(shop, both)
      .map(({ orderId }) => orderId)
      .toSorted(),
  ).toEqual(ids.toSorted())
})

test('npm run admin -- purge names what goes; with --dry-run it stays', async () => {
  const shop = await desk.openShop()
  const id = await delivered(shop, 'TX')
  await desk.owner.query(
    "update age_check_fields set checked_at = checked_at - interval '20 years' where order_id = $1",
    [id],
  )
  const { rows } = await desk.owner.query<{ name: string }>('select current_database() as name')
  const databaseUrl = urlOf({ ...inject('databaseServer'), database: rows[0]?.name ?? '' })
  const env = { DATABASE_URL: databaseUrl, DEMO: '1' }
  // It is due from here on. Held, it waits for the command, also if the server's hour comes first.
  const held = await holdRows(desk, 'select 1 from age_check_fields where order_id = $1 for update', [id])
  await decideRule(desk, shop, { rule: 'TX-LICENCES' })
  const dry = await runHere(['purge', '--dry-run'], { env })
  expect([dry.code, dry.out]).toEqual([0, expect.stringContaining(`fields of an ID check of order ${id}`)])
  expect(dry.out).toContain('would be purged')
  expect(await kept(shop)).toEqual([id])
  await held.release()
  expect((await runHere(['purge'], { env })).code).toBe(0)
  await eventually(async () => expect(await kept(shop)).toEqual([]))
})
