import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { urlOf } from '../../test/database/database-url.ts'
import { openDesk, type Desk, type Shop } from '../../test/desk.ts'
import { eventually } from '../../test/eventually.ts'
import { runHere } from '../../test/processes/run-command.ts'
import { loadShippedRules } from './load-rules.ts'

let desk: Desk
let shop: Shop
let folder: string
let databaseUrl: string
beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
  const { rows } = await desk.owner.query<{ name: string }>('select current_database() as name')
  databaseUrl = urlOf({ ...inject('databaseServer'), database: rows[0]?.name ?? '' })
  folder = await mkdtemp(join(tmpdir(), 'cellarhand-duties-'))
})
afterAll(async () => {
  await desk.stop()
  await rm(folder, { recursive: true })
})

const hours = {
  id: 'NV-HOURS',
  country: 'US',
  state: 'NV',
  kind: 'hours',
  applies: { roads: ['local'] },
  value: { from: '03:00', to: '05:00' },
  words: 'No hand-over from 3 AM to 5 AM.',
  source: 'NRS 369',
  sure: 'law',
  read_on: '2026-11-22',
  valid_from: null,
  valid_to: null,
}

async function load(content: unknown) {
  await writeFile(join(folder, 'own.json'), typeof content === 'string' ? content : JSON.stringify(content))
  return runHere(['load-duties', 'own.json'], {
    env: { DATABASE_URL: databaseUrl, DEMO: '1', INIT_CWD: folder },
  })
}

async function rulesOfShop() {
  const { body } = await desk.call('GET /m/v2/merchant/{tmk}/duties', {
    as: shop.member,
    params: { tmk: shop.key },
  })
  return body.rules.map(({ rule }) => rule)
}

const versions = async (id: string) =>
  (
    await desk.owner.query<{ value: unknown }>(
      "select rule->'value' as value from duty_rule_versions where rule_id = $1 order by version_no",
      [id],
    )
  ).rows.map(({ value }) => (typeof value === 'string' ? (JSON.parse(value) as unknown) : value))

test('a file with rules is taken, and the shops see them unconfirmed', async () => {
  const loaded = await load([hours])
  expect(loaded).toMatchObject({ code: 0, out: expect.stringContaining('1 rules read, 1 new or changed') })
  expect((await rulesOfShop()).find(({ id }) => id === 'NV-HOURS')).toEqual(hours)
  expect((await load([hours])).out).toContain('1 rules read, 0 new or changed')
})

test.each<[string, () => unknown, string]>([
  ['a typing error', () => '[{"id": "NV-HOURS",}]', 'own.json: '],
  ['a wrong kind', () => [{ ...hours, kind: 'houres' }], 'own.json: row 1: kind: Must be one of'],
  ['an unknown state', () => [{ ...hours, state: 'ZZ' }], 'own.json: row 1: state: Must be one of'],
  [
    'an end before its beginning, in the second row',
    () => [hours, { ...hours, id: 'NV-B', state: 'AZ', valid_from: '2027-02-01', valid_to: '2027-01-01' }],
    'own.json: row 2: valid_to 2027-01-01 is before valid_from 2027-02-01',
  ],
  [
    'two rows that contradict each other',
    () => [hours, { ...hours, id: 'NV-B', value: { from: '00:00', to: '06:00' } }],
    'own.json: row 2: contradicts row 1',
  ],
  [
    'a row that contradicts a rule in force',
    () => [{ ...hours, id: 'CA-NIGHT', state: 'CA' }],
    'own.json: row 1: contradicts CA-HOURS, which is in force',
  ],
  [
    'a row that says what a rule in force says',
    () => [{ ...hours, id: 'CA-NIGHT', state: 'CA', value: { to: '06:00', from: '02:00' } }],
    'own.json: row 1: says the same as CA-HOURS, which is in force',
  ],
])(
  '%s refuses the whole file with its row and reason, and the rules in force stay',
  async (_, rows, problem) => {
    const before = await rulesOfShop()
    const refused = await load(rows())
    expect(refused.code).toBe(1)
    expect(refused.err).toContain(problem)
    expect(await rulesOfShop()).toEqual(before)
  },
)

test('a rule of a file replaces a shipped one for good, and its earlier text stays on record', async () => {
  const shipped = JSON.parse(await readFile(new URL('rules.json', import.meta.url), 'utf8')) as {
    id: string
  }[]
  const own = { ...shipped.find(({ id }) => id === 'CA-HOURS'), value: { from: '00:00', to: '06:00' } }
  expect((await load([own])).code).toBe(0)
  // As every start of a server does.
  await loadShippedRules(desk.app.db)
  expect((await rulesOfShop()).find(({ id }) => id === 'CA-HOURS')?.value).toEqual({
    from: '00:00',
    to: '06:00',
  })
  expect(await versions('CA-HOURS')).toEqual([
    { from: '02:00', to: '06:00' },
    { from: '00:00', to: '06:00' },
  ])
})

test('the open orders of every shop are asked again', async () => {
  const other = await desk.openShop()
  const order = await desk.order(other)
  expect(order.duties).toBeUndefined()
  const sticker = {
    ...hours,
    id: 'NY-AGE',
    state: 'NY',
    kind: 'age_check',
    applies: {},
    value: {},
    sure: 'terms',
  }
  expect((await load([sticker])).code).toBe(0)
  await eventually(async () => {
    const { body } = await desk.call('GET /m/v2/orders/{id}', { as: other.member, params: { id: order.id } })
    expect(body.duties?.must).toMatchObject([{ rule: 'NY-AGE' }])
  })
})
