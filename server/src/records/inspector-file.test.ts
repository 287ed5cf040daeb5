import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { urlOf } from '../../test/database/database-url.ts'
import { openDesk, type Desk, type Person, type Shop } from '../../test/desk.ts'
import { decideRule } from '../../test/duties-desk.ts'
import { eventually } from '../../test/eventually.ts'
import { orderIn } from '../../test/order-steps.ts'
import { anItem } from '../../test/orders.ts'
import { readPdf } from '../../test/papers/pdf-text.ts'
import { rowsOf } from '../../test/papers/csv-rows.ts'
import { unzip } from '../../test/papers/unzip.ts'
import { runHere, startFile } from '../../test/processes/run-command.ts'

let desk: Desk
let folder: string
let databaseUrl: string
beforeAll(async () => {
  desk = await openDesk()
  const { rows } = await desk.owner.query<{ name: string }>('select current_database() as name')
  databaseUrl = urlOf({ ...inject('databaseServer'), database: rows[0]?.name ?? '' })
  folder = await mkdtemp(join(tmpdir(), 'cellarhand-records-'))
})
afterAll(async () => {
  await desk.stop()
  await rm(folder, { recursive: true })
})

/** Far around today, so that the shop's zone does not matter. */
const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
const around = { from: day(-2), to: day(2) }

const admin = (...args: string[]) =>
  runHere(args, { env: { DATABASE_URL: databaseUrl, DEMO: '1', INIT_CWD: folder } })

async function fileOf(shop: Shop, name: string, days: { from: string; to: string } = around) {
  const range = ['--from', days.from, '--to', days.to]
  const { code, out, err } = await admin('inspector-file', '--merchant', shop.key, ...range, '--out', name)
  expect([code, err]).toEqual([0, expect.any(String)])
  return { out, files: unzip(await readFile(join(folder, name))) }
}

const checked = { age_check: { method: 'driver_license', checked_by: 'Sam Ortiz' }, signed_by: 'D. Nakamura' }

async function close(shop: Shop, changes: object = {}) {
  const order = await orderIn(desk, shop, { status: 'MERCHANT_SHIPPED', method: 'on_demand', ...changes })
  const { status } = await desk.call('POST /m/v2/orders/{id}', {
    as: shop.member,
    params: { id: order.id },
    body: { status: 'CLOSED', delivery_info: { delivered_on: order.date_submitted, ...checked } },
  })
  expect(status).toBe(200)
  return order
}

const ask = (shop: Shop, as: Person, body: object) =>
  desk.call('POST /m/v2/merchant/{tmk}/inspector_files', { as, params: { tmk: shop.key }, body })
const list = (shop: Shop, as: Person = shop.owner) =>
  desk.call('GET /m/v2/merchant/{tmk}/inspector_files', { as, params: { tmk: shop.key } })

describe('the file for an inspector', () => {
  test('lists each bottle line of each sale with its check and signature, and nothing that was never handed out', async () => {
    const shop = await desk.openShop()
    const items = [
      anItem({ id: 'a', name: 'Rosé, "dry"', beverage_class: 'wine', abv: 12.5, quantity: 2, subtotal: 104 }),
      anItem({ id: 'b', name: 'Tonic', beverage_class: 'none', product: { id: 'p-2' } }),
      anItem({ id: 'c', name: '=Gin', volume_ml: 700, product: { id: 'p-3' } }),
    ]
    const sold = await close(shop, { items })
    const sent = await orderIn(desk, shop, { status: 'CLOSED' })
    await orderIn(desk, shop, { status: 'MERCHANT_ACCEPTED' })
    await orderIn(desk, shop, { status: 'REFUNDED' })
    await orderIn(desk, shop, { status: 'CLOSED', items: [anItem({ beverage_class: 'none' })] })
    const { out, files } = await fileOf(shop, 'sales.zip')
    expect(out).toContain('2 sales from')
    const rows = rowsOf(files['sales.csv'])
    expect(rows.map((row) => row['Order']).toSorted()).toEqual(
      [sold.id, sold.id, sent.id, sent.id].toSorted(),
    )
    const own = rows.filter((row) => row['Order'] === sold.id)
    expect(own.map((row) => row['Item'])).toEqual(['Rosé, "dry"', "'=Gin"])
    expect(own[0]).toMatchObject({
      Class: 'wine',
      'Alcohol %': '12.5',
      Millilitres: '750',
      Quantity: '2',
      Recipient: 'Dee Nakamura',
      'ID check': 'passed',
      ID: 'driver_license',
      'ID checked by': 'Sam Ortiz',
      'Signed by': 'D. Nakamura',
      'Rules asked': 'TERMS-AGE',
      'Not done': '',
    })
    expect(own[1]).toMatchObject({ Class: '', 'Alcohol %': '', Millilitres: '700' })
  })

  test('has the refusals, and every decision of an owner with name and reason', async () => {
    const shop = await desk.openShop()
    await decideRule(desk, shop, { rule: 'US-HOME-STATE', body: { decision: 'confirmed' } })
    await decideRule(desk, shop, {
      rule: 'CA-HOURS',
      body: { decision: 'set_aside', reason: 'We deliver, nothing in California' },
    })
    const toUtah = {
      first_name: 'Ngozi',
      last_name: 'Eze',
      street_1: '1 Terrace',
      city: 'Salt Lake City',
      state: 'UT',
      zipcode: '84103',
    }
    const held = await desk.order(shop, { recipient: toUtah })
    const passed = await desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/duties/pass', {
      as: shop.owner,
      params: { tmk: shop.key, id: held.id },
      body: { rule: 'UNKNOWN-DESTINATION', reason: 'The brand holds a licence there' },
    })
    expect(passed.status).toBe(200)
    const out = await orderIn(desk, shop, { status: 'MERCHANT_SHIPPED', method: 'on_demand' })
    await desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/refused_delivery', {
      as: shop.member,
      params: { tmk: shop.key, id: out.id },
      body: { reason: 'under_21', checked_by: 'Sam Ortiz', method: 'passport' },
    })
    // As an order from before the time of leaving was kept.
    await desk.owner.query('update orders set shipped_at = null where order_id = $1', [out.id])
    const returned = await orderIn(desk, shop, { status: 'MERCHANT_SHIPPED', method: 'on_demand' })
    await desk.owner.query(
      `insert into order_history (merchant_id, order_id, version, action, from_status, to_status, actor_kind, actor_name, comment)
       values ($1, $2, 99, 'courier_bring_back', 'MERCHANT_SHIPPED', 'MERCHANT_ACCEPTED', 'courier', 'Sandbox Courier', 'Nobody there')`,
      [shop.key, returned.id],
    )
    const { files } = await fileOf(shop, 'events.zip')
    expect(rowsOf(files['refusals.csv'])).toEqual([
      expect.objectContaining({
        Order: out.id,
        Result: 'refused',
        Reason: 'under_21',
        ID: 'passport',
        By: 'Sam Ortiz',
      }),
      expect.objectContaining({
        Order: returned.id,
        Result: 'not handed over',
        By: 'Sandbox Courier',
        Comment: 'Nobody there',
      }),
    ])
    const owner = expect.stringContaining('owner') as string
    expect(rowsOf(files['overrides.csv'])).toEqual(
      [
        { What: 'rule confirmed', Rule: 'US-HOME-STATE', Order: '', By: owner, Reason: '' },
        { What: 'rule set aside', Rule: 'CA-HOURS', By: owner, Reason: 'We deliver, nothing in California' },
        {
          What: 'one order let pass',
          Rule: 'UNKNOWN-DESTINATION',
          Order: held.id,
          By: owner,
          Reason: 'The brand holds a licence there',
        },
      ].map((row) => expect.objectContaining(row)),
    )
    // The order that an owner let pass has not left the shop, the refused one has.
    expect([...new Set(rowsOf(files['sales.csv']).map((row) => row['Order']))]).toEqual([out.id, returned.id])
    const rules = rowsOf(files['rules.csv']).filter((row) => row['Rule'] === 'CA-HOURS')
    expect(rules.map((row) => [row['Stood'], row['Reason']])).toEqual([
      ['told', ''],
      ['set aside', 'We deliver, nothing in California'],
    ])
    expect(rules[0]?.['Until']).toBe(rules[1]?.['From'])
    const paper = await readPdf(files['inspection.pdf'] ?? Buffer.from(''))
    const all = paper.all.replaceAll('\n', ' ')
    for (const words of ['Inspector’s file', 'not legal advice', 'under_21', 'The brand holds', out.id])
      expect(all).toContain(words)
  })
})

test('has what was recorded in its days of orders that came before them, and the sealed fields whose key is lost as such', async () => {
  const shop = await desk.openShop()
  const out = await orderIn(desk, shop, { status: 'MERCHANT_SHIPPED', method: 'on_demand' })
  const refused = await desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/refused_delivery', {
    as: shop.member,
    params: { tmk: shop.key, id: out.id },
    body: { reason: 'under_21', checked_by: 'Sam Ortiz', method: 'passport' },
  })
  expect(refused.status).toBe(200)
  await desk.owner.query(
    `update orders set submitted_at = submitted_at - interval '30 days' where merchant_id = $1`,
    [shop.key],
  )
  await desk.owner.query(
    `insert into courier_proofs (merchant_id, order_id, attempt, delivered_at, signed_by, is_id_checked)
     values ($1, $2, 1, now(), 'Dee Nakamura', null), ($1, $2, 2, now() - interval '20 days', 'Nobody', true)`,
    [shop.key, out.id],
  )
  await desk.owner.query(
    `insert into age_check_fields (merchant_id, order_id, checked_at, rule_id, fields_sealed)
     values ($1, $2, now(), 'VA-AGE', 'not ours')`,
    [shop.key, out.id],
  )
  const { files } = await fileOf(shop, 'earlier.zip')
  expect(rowsOf(files['sales.csv'])).toEqual([])
  expect(rowsOf(files['refusals.csv'])).toEqual([
    expect.objectContaining({ Order: out.id, Reason: 'under_21' }),
  ])
  expect(rowsOf(files['proofs.csv'])).toEqual([
    expect.objectContaining({ Order: out.id, 'Signed by': 'Dee Nakamura', 'ID check': 'not told' }),
  ])
  expect(rowsOf(files['id-fields.csv'])).toEqual([
    expect.objectContaining({ Order: out.id, Rules: 'VA-AGE', Name: 'sealed with a key that is not here' }),
  ])
})

test('a setting that was milder for an hour is in the file: who, when, from what to what, and why', async () => {
  const shop = await desk.openShop()
  const choose = (body: object, as: Person = shop.owner) =>
    desk.call('PUT /m/v2/merchant/{tmk}/duties_closing', { as, params: { tmk: shop.key }, body })
  const reason = 'The scanner is broken'
  expect((await choose({ closing: 'enforced' })).body.closing_decision).toMatchObject({
    was: 'enforced_on_dashboard',
    reason: null,
  })
  for (const milder of [{}, { reason: null }]) {
    const refused = await choose({ closing: 'recorded', ...milder })
    expect([refused.status, refused.refusal.errors]).toEqual([400, { reason: 'Please give the reason' }])
  }
  expect((await choose({ closing: 'recorded', reason })).body).toMatchObject({
    closing: 'recorded',
    closing_decision: { was: 'enforced', reason },
  })
  // The same choice again is no decision.
  expect((await choose({ closing: 'recorded' })).status).toBe(200)
  expect((await choose({ closing: 'enforced' })).body.closing).toBe('enforced')
  expect((await choose({ closing: 'enforced_on_dashboard' })).status).toBe(400)
  const other = await desk.openShop()
  const { files } = await fileOf(shop, 'closings.zip')
  const owner = expect.stringContaining('owner') as string
  const row = { What: 'closing without an ID check', By: owner }
  expect(rowsOf(files['overrides.csv'])).toEqual(
    [
      { ...row, Reason: '', 'Words or change': 'refused on the dashboard alone -> refused' },
      { ...row, Reason: reason, 'Words or change': 'refused -> allowed and recorded as missing' },
      { ...row, Reason: '', 'Words or change': 'allowed and recorded as missing -> refused' },
    ].map((each) => expect.objectContaining(each)),
  )
  expect(rowsOf((await fileOf(other, 'no-closings.zip')).files['overrides.csv'])).toEqual([])
})

describe('the orders in it', () => {
  test('holds the orders of its days in the shop’s zone, and of no other shop', async () => {
    const [shop, other] = [await desk.openShop('zoned', 'America/Los_Angeles'), await desk.openShop()]
    const [before, first, last, after] = [
      await close(shop),
      await close(shop),
      await close(shop),
      await close(shop),
    ]
    await close(other)
    const at = (id: string, moment: string) =>
      desk.owner.query('update orders set submitted_at = $2 where order_id = $1', [id, moment])
    await at(before.id, '2025-03-01T07:59:59.999Z')
    await at(first.id, '2025-03-01T08:00:00Z')
    await at(last.id, '2025-03-10T06:59:59.999Z')
    await at(after.id, '2025-03-10T07:00:00Z')
    const { files } = await fileOf(shop, 'zoned.zip', { from: '2025-03-01', to: '2025-03-09' })
    const listed = new Set(rowsOf(files['sales.csv']).map((row) => row['Order']))
    expect([...listed]).toEqual([first.id, last.id])
    // The paper sums up by the shop's months, and lists what fits on it.
    const day = { from: '2025-02-28', to: '2025-03-09' }
    const paper = await readPdf(
      (await fileOf(shop, 'months.zip', day)).files['inspection.pdf'] ?? Buffer.from(''),
    )
    const all = paper.all.replaceAll('\n', ' ')
    expect(all).toMatch(/2025-02 1 .*2025-03 2 /)
    expect(all).toContain(before.id)
  })

  test('is the same whatever the number of pages that it is read in, with a line of progress', async () => {
    const shop = await desk.openShop()
    const template = await orderIn(desk, shop, { status: 'MERCHANT_SHIPPED', method: 'on_demand' })
    await desk.owner.query(
      `update orders set status = 'CLOSED', document = replace(document::text, '"MERCHANT_SHIPPED"', '"CLOSED"')::json where order_id = $1`,
      [template.id],
    )
    await desk.owner.query(
      `insert into orders (merchant_id, order_id, order_key, status, tab, display_group, delivery_method, application_ref, submitted_at, deadline_at, shipped_at, version, document)
       select merchant_id, '9' || lpad(n::text, 8, '0'), 'many-' || n, status, tab, display_group, delivery_method, application_ref,
         submitted_at, deadline_at, shipped_at, version, replace(document::text, '"' || order_id || '"', '"9' || lpad(n::text, 8, '0') || '"')::json
       from orders cross join generate_series(1, 1100) n where merchant_id = $1`,
      [shop.key],
    )
    const { out, files } = await fileOf(shop, 'many.zip')
    expect(out).toContain('1101 sales from')
    const ids = rowsOf(files['sales.csv']).map((row) => row['Order'])
    expect([new Set(ids).size, ids.length, ids.includes(template.id)]).toEqual([1101, 2202, true])
    const paper = await readPdf(files['inspection.pdf'] ?? Buffer.from(''))
    const all = paper.all.replaceAll('\n', ' ')
    expect(all).toContain('1,101 sales are too many for paper: sales.csv has each of them')
    // Its pattern was closed at the door without a check, which is what an inspector looks for.
    expect(all).toContain('Closed locally without an ID check')
    expect(all).toContain('The first 500 of 1,101; sales.csv has all of them.')
  })
})

describe('npm run admin -- inspector-file', () => {
  test('refuses days in words, an unknown merchant, and a file that is there, and leaves none behind', async () => {
    const shop = await desk.openShop()
    const refusal = async (changes: Record<string, string>) => {
      const given = {
        merchant: shop.key,
        from: '2026-05-01',
        to: '2026-05-31',
        out: 'refused.zip',
        ...changes,
      }
      const { code, err } = await admin(
        'inspector-file',
        ...Object.entries(given).flatMap(([name, value]) => [`--${name}`, value]),
      )
      expect(code).not.toBe(0)
      return err
    }
    expect(await refusal({ to: '2026-04-30' })).toContain(
      'The range ends before it begins: 2026-04-30 is before 2026-05-01.',
    )
    expect(await refusal({ from: '2026-02-30' })).toContain('2026-02-30 is no day')
    expect(await refusal({ merchant: 'nobody' })).toContain('There is no merchant "nobody".')
    expect(await readdir(folder)).not.toContain('refused.zip')
    await fileOf(shop, 'there.zip')
    expect(await refusal({ out: 'there.zip' })).toContain('there.zip cannot be written')
    expect(await refusal({ out: 'no-folder/x.zip' })).toContain('cannot be written')
  })
})

test('a command that is killed leaves no half file under the name, and the next one makes the whole', async () => {
  const shop = await desk.openShop()
  await close(shop)
  const held = await desk.owner.connect()
  await held.query('begin')
  await held.query('lock table orders in access exclusive mode')
  const given = { merchant: shop.key, ...around, out: 'killed.zip' }
  const args = Object.entries(given).flatMap(([name, value]) => [`--${name}`, value])
  const { child, ended } = startFile('admin.ts', {
    args: ['inspector-file', ...args],
    env: { DATABASE_URL: databaseUrl, DEMO: '1', INIT_CWD: folder },
  })
  const begun = async () => (await readdir(folder)).filter((name) => name.startsWith('killed.zip'))
  await eventually(async () => expect(await begun()).toHaveLength(1))
  child.kill('SIGKILL')
  await ended
  await held.query('rollback')
  held.release()
  expect(await begun()).toEqual([expect.stringMatching(/^killed\.zip\.\d+\.unfinished$/)])
  expect(Object.keys((await fileOf(shop, 'killed.zip')).files)).toContain('inspection.pdf')
})

describe('the page', () => {
  test('an owner asks for the file, a job makes it, and its link opens it', async () => {
    const shop = await desk.openShop()
    const order = await close(shop)
    const asked = await ask(shop, shop.owner, around)
    expect([asked.status, asked.body.files.length]).toEqual([202, 1])
    const file = await eventually(async () => {
      const [newest] = (await list(shop)).body.files
      expect(newest).toMatchObject({ ...around, is_finished: true, problem: null, sales: 1 })
      return newest
    })
    const reply = await fetch(file?.url ?? '')
    expect([
      reply.status,
      reply.headers.get('content-type'),
      reply.headers.get('content-disposition'),
    ]).toEqual([
      200,
      'application/zip',
      `attachment; filename="inspection-${around.from}-to-${around.to}.zip"`,
    ])
    const files = unzip(Buffer.from(await reply.arrayBuffer()))
    expect(Object.keys(files)).toEqual([
      'sales.csv',
      'refusals.csv',
      'proofs.csv',
      'id-fields.csv',
      'overrides.csv',
      'rules.csv',
      'purged.csv',
      'inspection.pdf',
    ])
    expect(rowsOf(files['sales.csv'])[0]?.['Order']).toBe(order.id)
    const forged = new URL(file?.url ?? '')
    forged.searchParams.set('sig', 'x'.repeat(43))
    expect((await fetch(forged)).status).toBe(403)
    const other = await desk.openShop()
    expect((await fetch((file?.url ?? '').replace(shop.key, other.key))).status).toBe(404)
  })

  test('nobody but an owner has it made or sees it, and no other shop', async () => {
    const [shop, other] = [await desk.openShop(), await desk.openShop()]
    for (const as of [shop.member, shop.manager])
      expect([(await ask(shop, as, around)).status, (await list(shop, as)).status]).toEqual([403, 403])
    expect((await ask(shop, other.owner, around)).status).toBe(403)
    await ask(shop, shop.owner, around)
    expect((await list(other)).body.files).toEqual([])
  })

  test('days that end before they begin are refused at their field', async () => {
    const shop = await desk.openShop()
    const refused = await ask(shop, shop.owner, { from: '2026-05-02', to: '2026-05-01' })
    expect([refused.status, refused.refusal.errors]).toEqual([
      400,
      { to: 'The range ends before it begins: 2026-05-01 is before 2026-05-02.' },
    ])
    expect((await ask(shop, shop.owner, { from: '2026-02-30', to: '2026-03-01' })).refusal.errors).toEqual({
      from: '2026-02-30 is no day, such as 2026-11-23.',
    })
  })
})
