import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Order } from '@cellarhand/contract/orders'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { urlOf } from '../../test/database/database-url.ts'
import { openDesk, type Desk, type Shop } from '../../test/desk.ts'
import { dutiesAt } from '../../test/duties-desk.ts'
import { orderIn, takeStep } from '../../test/order-steps.ts'
import { unzip } from '../../test/papers/unzip.ts'
import { runHere } from '../../test/processes/run-command.ts'

let desk: Desk
let folder: string
let env: Record<string, string>
beforeAll(async () => {
  desk = await openDesk()
  folder = await mkdtemp(join(tmpdir(), 'cellarhand-ids-'))
  const { rows } = await desk.owner.query<{ name: string }>('select current_database() as name')
  const databaseUrl = urlOf({ ...inject('databaseServer'), database: rows[0]?.name ?? '' })
  env = { DATABASE_URL: databaseUrl, DEMO: '1', INIT_CWD: folder }
})
afterAll(async () => {
  await desk.stop()
  await rm(folder, { recursive: true })
})
const { decide, read } = dutiesAt(() => desk)

const fields = { name: 'Dee Nakamura', birth_date: '1971-04-01', address: '1 Main St, "Town", VA' }

async function outIn(shop: Shop, state = 'VA'): Promise<Order> {
  const recipient = {
    first_name: 'Dee',
    last_name: 'Nakamura',
    street_1: '9 Door Street',
    city: 'Town',
    state,
    zipcode: '23219',
  }
  return orderIn(desk, shop, { status: 'MERCHANT_SHIPPED', method: 'on_demand', recipient })
}

const close = async (shop: Shop, order: Order, recorded?: object) =>
  desk.call('POST /m/v2/orders/{id}', {
    as: shop.member,
    params: { id: order.id },
    body: {
      status: 'CLOSED',
      delivery_info: {
        delivered_on: order.date_submitted,
        age_check: { method: 'driver_license', ...(recorded && { fields: recorded }) },
      },
    },
  })

/** The birth date of a person who turns 21 in so many days, by the shops' clock in New York. */
function birthdayIn(days: number): string {
  const day = new Date(Date.now() + days * 86_400_000).toLocaleDateString('en-CA', {
    timeZone: 'America/New_York',
  })
  return `${Number(day.slice(0, 4)) - 21}${day.slice(4)}`.replace('-02-29', '-02-28')
}

const stored = async ({ id }: Order) =>
  (
    await desk.owner.query<{ rule_id: string; text: string }>(
      'select rule_id, age_check_fields::text as text from age_check_fields where order_id = $1',
      [id],
    )
  ).rows

/** The lines of the owner's file about the fields of IDs. */
async function inspected(shop: Shop, name: string): Promise<string[]> {
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
  const range = ['--from', day(-2), '--to', day(2), '--out', name]
  const { code } = await runHere(['inspector-file', '--merchant', shop.key, ...range], { env })
  expect(code).toBe(0)
  const csv = unzip(await readFile(join(folder, name)))['id-fields.csv']
  return csv?.toString('utf8').trimEnd().split('\r\n').slice(1) ?? []
}

describe('what a rule makes the shop record of an ID', () => {
  test('is stored sealed at the closing, stands in the owner’s file, and nowhere else', async () => {
    const shop = await desk.openShop()
    await decide(shop, 'VA-AGE')
    const order = await outIn(shop)
    const { body: duties } = await desk.call('GET /m/v2/merchant/{tmk}/orders/{id}/duties', {
      as: shop.member,
      params: { tmk: shop.key, id: order.id },
    })
    expect(duties.must.find(({ rule }) => rule === 'VA-AGE')?.record).toEqual([
      'name',
      'birth_date',
      'address',
    ])
    const closed = await close(shop, order, fields)
    expect([closed.status, closed.body.duties?.missing]).toEqual([200, undefined])
    const rows = await stored(order)
    expect(rows.map(({ rule_id }) => rule_id)).toEqual(['VA-AGE'])
    // The year alone would be in a sealed text, an id or a moment by chance.
    const recorded = /1971-04|1 Main/
    for (const text of [rows[0]?.text ?? '', JSON.stringify(await read(shop, order.id)), closed.text])
      expect(text).not.toMatch(recorded)
    const { rows: written } = await desk.owner.query<{ text: string }>(
      `select h::text as text from order_history h where order_id = $1
       union all select o::text from orders o where order_id = $1
       union all select e::text from outbox e union all select r::text from idempotent_replies r`,
      [order.id],
    )
    expect(written.map(({ text }) => text).join()).not.toMatch(recorded)
    expect(await inspected(shop, 'kept.zip')).toEqual([
      `${order.id},${new Date(order.date_submitted).toISOString()},VA-AGE,Dee Nakamura,1971-04-01,"1 Main St, ""Town"", VA"`,
    ])
  })

  test('goes by a rule, and the owner’s file then has it no more', async () => {
    const shop = await desk.openShop()
    await decide(shop, 'VA-AGE')
    const order = await outIn(shop)
    await close(shop, order, fields)
    await desk.owner.query(
      "update age_check_fields set checked_at = checked_at - interval '3 years' where order_id = $1",
      [order.id],
    )
    await decide(shop, 'VA-RECORDS')
    expect((await runHere(['purge'], { env })).code).toBe(0)
    expect(await stored(order)).toEqual([])
    expect(await inspected(shop, 'purged.zip')).toEqual([])
  })

  test.each<[string, string, readonly string[]]>([
    ['of another state', 'MD', ['VA-AGE']],
    ['that nobody has confirmed', 'VA', []],
  ])('fields that arrive under a rule %s are dropped', async (_, state, confirmed) => {
    const shop = await desk.openShop()
    for (const rule of confirmed) await decide(shop, rule)
    const order = await outIn(shop, state)
    const closed = await close(shop, order, fields)
    expect([closed.status, closed.body.duties?.missing, await stored(order)]).toEqual([200, undefined, []])
  })

  test('of all fields only those that the rule asks for', async () => {
    const shop = await desk.openShop()
    await decide(shop, 'VA-AGE', {
      decision: 'changed',
      value: { record: ['birth_date'] },
      reason: 'The birth date will do',
    })
    const order = await outIn(shop)
    expect((await close(shop, order, fields)).body.duties?.missing).toBeUndefined()
    const [line] = await inspected(shop, 'one.zip')
    expect(line).toMatch(/,VA-AGE,,1971-04-01,$/)
  })

  test('details that are only saved store none of it', async () => {
    const shop = await desk.openShop()
    await decide(shop, 'VA-AGE')
    const order = await outIn(shop)
    const saved = await desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/data', {
      as: shop.member,
      params: { tmk: shop.key, id: order.id },
      body: { delivered_on: order.date_submitted, age_check: { method: 'passport', fields } },
    })
    expect([saved.status, await stored(order)]).toEqual([200, []])
    expect(JSON.stringify(await read(shop, order.id))).not.toContain('1971-04')
  })
})

describe('what is not recorded though a rule asks for it', () => {
  test.each<[string, Partial<typeof fields>, string]>([
    ['a birth date under 21', { birth_date: '2015-01-01' }, 'birth_date'],
    ['one of a person who turns 21 the day after tomorrow', { birth_date: birthdayIn(2) }, 'birth_date'],
    ['one that is no day', { birth_date: '2001-02-30' }, 'birth_date'],
    ['a name that nobody sees', { name: '\u200b\u034f\ufe0f' }, 'name'],
    ['an address that nobody sees', { address: '\u115f' }, 'address'],
  ])('%s is not taken, neither saved nor at the closing', async (_, changes, field) => {
    const shop = await desk.openShop()
    await decide(shop, 'VA-AGE')
    const order = await outIn(shop)
    const age_check = { method: 'driver_license', fields: { ...fields, ...changes } }
    const saved = await desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/data', {
      as: shop.member,
      params: { tmk: shop.key, id: order.id },
      body: { delivered_on: order.date_submitted, age_check },
    })
    const closed = await close(shop, order, age_check.fields)
    expect([saved.status, closed.status]).toEqual([400, 400])
    expect(Object.keys(closed.refusal.errors ?? {}).join()).toContain(`age_check.fields.${field}`)
    const { status, age_check: check } = await read(shop, order.id)
    expect([status, check, await stored(order)]).toEqual(['MERCHANT_SHIPPED', undefined, []])
  })

  test('a person who turned 21 yesterday is old enough', async () => {
    const shop = await desk.openShop()
    await decide(shop, 'VA-AGE')
    const closed = await close(shop, await outIn(shop), { ...fields, birth_date: birthdayIn(-1) })
    expect(closed.status).toBe(200)
  })

  test('is missing from an order that was disputed on its way, once the dispute is settled', async () => {
    const shop = await desk.openShop()
    await decide(shop, 'VA-AGE')
    const order = await outIn(shop)
    for (const step of ['dispute', 'settle_dispute'] as const)
      expect((await takeStep(desk, shop, { order, step })).status).toBe(200)
    const { duties } = await read(shop, order.id)
    expect(duties?.missing?.map(({ rule }) => rule)).toEqual(['TERMS-AGE', 'VA-AGE'])
  })

  test('is missing from the closed order, and an owner may have such a closing refused', async () => {
    const shop = await desk.openShop()
    await decide(shop, 'VA-AGE')
    const first = await close(shop, await outIn(shop), { name: 'Dee Nakamura', birth_date: '1971-04-01' })
    expect(first.body.duties?.missing?.map(({ rule }) => rule)).toEqual(['VA-AGE'])
    const enforced = await desk.call('PUT /m/v2/merchant/{tmk}/duties_closing', {
      as: shop.owner,
      params: { tmk: shop.key },
      body: { closing: 'enforced' },
    })
    expect(enforced.status).toBe(200)
    const order = await outIn(shop)
    const refused = await close(shop, order, { name: 'Dee Nakamura' })
    expect([refused.status, refused.refusal.errors]).toEqual([
      400,
      { 'age_check.fields': 'A rule asks to record: Name on the ID, Birth date, Address on the ID' },
    ])
    expect([(await read(shop, order.id)).status, await stored(order)]).toEqual(['MERCHANT_SHIPPED', []])
    expect((await close(shop, order, fields)).status).toBe(200)
  })
})
