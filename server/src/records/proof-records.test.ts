import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Order } from '@cellarhand/contract/orders'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { urlOf } from '../../test/database/database-url.ts'
import { holdRows } from '../../test/database/held-rows.ts'
import { openTurnableDesk, type Shop, type TurnableDesk } from '../../test/desk.ts'
import { decideRule } from '../../test/duties-desk.ts'
import { eventually } from '../../test/eventually.ts'
import { courierOrder, orderIn, takeStep } from '../../test/order-steps.ts'
import { readPdf } from '../../test/papers/pdf-text.ts'
import { unzip } from '../../test/papers/unzip.ts'
import { runHere } from '../../test/processes/run-command.ts'
import { purgeByRule, type Purged } from './purge-by-rule.ts'

const dayMs = 86_400_000
const signer = 'A recipient of the sandbox'
const parts = 'courier’s proof of a delivery (signature-1.png, name of the signer, result of the ID check)'

const ruleOf = (id: string, state: string | null, value: object) => ({
  id,
  country: 'US',
  state,
  kind: 'purge',
  applies: {},
  value,
  words: 'Keep it for thirty days.',
  source: 'the shop',
  sure: 'practice',
  read_on: '2026-11-23',
  valid_from: null,
  valid_to: null,
})

let desk: TurnableDesk
let folder: string
let env: Record<string, string>
beforeAll(async () => {
  desk = await openTurnableDesk({ COURIER_SANDBOX_PACE: '1000' })
  const { rows } = await desk.owner.query<{ name: string }>('select current_database() as name')
  folder = await mkdtemp(join(tmpdir(), 'cellarhand-proofs-'))
  const databaseUrl = urlOf({ ...inject('databaseServer'), database: rows[0]?.name ?? '' })
  env = { DATABASE_URL: databaseUrl, DEMO: '1', INIT_CWD: folder }
  const rules = [
    ruleOf('SHOP-PROOFS', null, { after_days: 30, of: ['courier_proofs'] }),
    ruleOf('SHOP-IDS', null, { after_days: 30 }),
  ]
  await writeFile(join(folder, 'rules.json'), JSON.stringify(rules))
  expect(await runHere(['load-duties', 'rules.json'], { env })).toMatchObject({ code: 0 })
})
afterAll(async () => {
  await desk.stop()
  await rm(folder, { recursive: true })
})

const read = async (shop: Shop, { id }: Order) =>
  (await desk.call('GET /m/v2/orders/{id}', { as: shop.member, params: { id } })).body
const picture = async (shop: Shop, { id }: Order) =>
  (
    await desk.call('GET /m/v2/merchant/{tmk}/orders/{id}/courier_signature', {
      as: shop.member,
      params: { tmk: shop.key, id },
    })
  ).status

/** A delivery by courier whose proof has come. */
async function proven(shop: Shop): Promise<Order> {
  const order = await courierOrder(desk, shop, 'delivers')
  expect((await takeStep(desk, shop, { order, step: 'request_courier' })).status).toBe(200)
  await desk.later(async () => expect((await read(shop, order)).status).toBe('CLOSED'))
  await desk.turn(31_000)
  await desk.later(async () =>
    expect((await read(shop, order)).history.map(({ action }) => action)).toContain('courier_proof'),
  )
  return order
}

/** Its own clock is ahead, and not the server's, whose hourly work leaves the proofs alone. */
async function purge(shop: Shop, days: number, isDryRun = false): Promise<Purged[]> {
  const purged: Purged[] = []
  const clock = { ...desk.app.db.clock, nowMs: () => desk.clock.nowMs() + days * dayMs }
  await purgeByRule({ ...desk.app.db, clock }, desk.upkeep, {
    isDryRun,
    onPurge: (each) => purged.push(each),
  })
  return purged.filter(({ merchantId }) => merchantId === shop.key)
}

async function inspected(shop: Shop, name: string) {
  const day = (offset: number) => new Date(Date.now() + offset * dayMs).toISOString().slice(0, 10)
  const range = ['--from', day(-2), '--to', day(3), '--out', name]
  expect(await runHere(['inspector-file', '--merchant', shop.key, ...range], { env })).toMatchObject({
    code: 0,
  })
  const files = unzip(await readFile(join(folder, name)))
  const linesOf = (file: string) => files[file]?.toString('utf8').trimEnd().split('\r\n').slice(1) ?? []
  return { linesOf, paper: (await readPdf(files['inspection.pdf'] ?? Buffer.from(''))).all }
}

test('the inspector’s file says who signed for a courier, the result of the ID check, and that a picture is kept', async () => {
  const shop = await desk.openShop()
  const order = await proven(shop)
  const byHand = await orderIn(desk, shop, { status: 'CLOSED', method: 'on_demand' })
  const { linesOf, paper } = await inspected(shop, 'proofs.zip')
  const rows = linesOf('proofs.csv').map((line) => line.split(','))
  expect(rows).toEqual([[order.id, expect.any(String), 'Sandbox Courier', signer, 'passed', 'picture kept']])
  expect(Date.parse(rows[0]?.[1] ?? '')).toBeGreaterThan(Date.parse(order.date_submitted))
  expect(paper.replaceAll('\n', ' ')).toContain('Proofs of couriers')
  expect(paper).toContain('picture kept')
  expect(linesOf('proofs.csv').join()).not.toContain(byHand.id)
})

test('a delivery under a courier’s agreement is listed as one without a result, with the owner who answers for it', async () => {
  const shop = await desk.openShop()
  const order = await proven(shop)
  const on = '2026-11-20'
  await desk.owner.query(
    `insert into courier_checks (merchant_id, service, decision_no, is_relied_on, reason, decided_by_id, decided_by)
     values ($1, 'Sandbox Courier', 1, true, 'Addendum of October 1', 'x', 'Ada Marsh')`,
    [shop.key],
  )
  await desk.owner.query('update courier_proofs set is_id_checked = null where order_id = $1', [order.id])
  await desk.owner.query(
    `update orders set document = jsonb_set(document::jsonb, '{duties,relied_on}', $2::jsonb)::text::json where order_id = $1`,
    [order.id, JSON.stringify({ service: 'Sandbox Courier', by: 'Ada Marsh', on })],
  )
  const { linesOf } = await inspected(shop, 'relied.zip')
  const words = `not told; left to Sandbox Courier under its agreement, confirmed by Ada Marsh on ${on}`
  expect(linesOf('proofs.csv').join()).toContain(words)
  const [decided] = linesOf('overrides.csv')
  for (const part of [
    'courier’s ID check relied on',
    'Sandbox Courier',
    'Ada Marsh',
    'Addendum of October 1',
  ])
    expect(decided).toContain(part)
})

test('the word about one courier covers no other, a picture that did not come is none, and what came after the days is not in the file', async () => {
  const shop = await desk.openShop()
  const order = await proven(shop)
  const query = (text: string, values: unknown[]) => desk.owner.query(text, values)
  await query(
    'update courier_proofs set is_id_checked = null, signature = null, media_type = null where order_id = $1',
    [order.id],
  )
  await query(
    `update orders set document = jsonb_set(document::jsonb, '{duties,relied_on}', $2::jsonb)::text::json where order_id = $1`,
    [order.id, JSON.stringify({ service: 'Another Courier', by: 'Ada Marsh', on: '2026-11-20' })],
  )
  await decideRule(desk, shop, { rule: 'US-RECORDS' })
  await query("update duty_decisions set decided_at = now() + interval '9 days' where merchant_id = $1", [
    shop.key,
  ])
  await query(
    `insert into courier_checks (merchant_id, service, decision_no, is_relied_on, reason, decided_by_id, decided_by, decided_at)
     values ($1, 'Another Courier', 1, true, 'Addendum', 'x', 'Ada Marsh', now() + interval '9 days')`,
    [shop.key],
  )
  await query(
    `insert into purged (merchant_id, kind, order_id, recorded_at, rule_id, purged_at)
     values ($1, 'x', $2, now(), 'SHOP-IDS', now() + interval '9 days')`,
    [shop.key, order.id],
  )
  const { linesOf } = await inspected(shop, 'later.zip')
  const [proof] = linesOf('proofs.csv').map((line) => line.split(','))
  expect(proof?.slice(4)).toEqual(['not told', 'no picture'])
  expect([linesOf('overrides.csv'), linesOf('purged.csv')]).toEqual([[], []])
})

test('a proof goes by a confirmed rule that names proofs, and every part of it is named', async () => {
  const shop = await desk.openShop()
  const order = await proven(shop)
  await decideRule(desk, shop, { rule: 'SHOP-IDS' })
  expect(await purge(shop, 9_000)).toEqual([])
  await decideRule(desk, shop, { rule: 'SHOP-PROOFS' })
  expect(await purge(shop, 29)).toEqual([])
  const expected = [{ kind: parts, orderId: order.id, rule: 'SHOP-PROOFS' }]
  expect(await purge(shop, 31, true)).toMatchObject(expected)
  expect(await picture(shop, order)).toBe(200)
  expect(await purge(shop, 31)).toMatchObject(expected)
  expect(await picture(shop, order)).toBe(404)
  expect(await purge(shop, 31)).toEqual([])
  const { linesOf } = await inspected(shop, 'purged.zip')
  expect(linesOf('proofs.csv')).toEqual([])
  expect(linesOf('purged.csv')).toEqual([expect.stringContaining(`"${parts}",${order.id}`)])
})

test('a rule that keeps records keeps the proofs, and removes them when its years are over', async () => {
  const shop = await desk.openShop()
  const order = await proven(shop)
  await decideRule(desk, shop, { rule: 'SHOP-PROOFS' })
  await decideRule(desk, shop, { rule: 'US-RECORDS' })
  expect(await purge(shop, 1_000)).toEqual([])
  expect(await picture(shop, order)).toBe(200)
  expect(await purge(shop, 1_100)).toMatchObject([{ kind: parts, rule: 'SHOP-PROOFS' }])
  expect(await picture(shop, order)).toBe(404)
})

test('npm run admin -- purge --dry-run names the parts of a proof, and purge removes them', async () => {
  const shop = await desk.openShop()
  const order = await proven(shop)
  await desk.owner.query(
    "update courier_proofs set delivered_at = delivered_at - interval '40 days' where order_id = $1",
    [order.id],
  )
  // Held, it waits for the command, also if the server's hour comes first.
  const held = await holdRows(desk, 'select 1 from courier_proofs where order_id = $1 for update', [order.id])
  await decideRule(desk, shop, { rule: 'SHOP-PROOFS' })
  const dry = await runHere(['purge', '--dry-run'], { env })
  expect(dry.out).toContain(`${shop.key}: ${parts} of order ${order.id}`)
  expect(await picture(shop, order)).toBe(200)
  await held.release()
  expect((await runHere(['purge'], { env })).code).toBe(0)
  await eventually(async () => expect(await picture(shop, order)).toBe(404))
})
