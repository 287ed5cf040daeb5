import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { openDesk } from '../../test/desk.ts'
import { onDemand } from '../../test/orders.ts'
import { eventually } from '../../test/eventually.ts'
import { loadShippedRules, writeRules } from './load-rules.ts'
import { readRuleFile } from './read-rule-file.ts'

const shipped = await readFile(new URL('rules.json', import.meta.url), 'utf8')
const hours = {
  id: 'XX-HOURS',
  country: 'US',
  state: 'CA',
  kind: 'hours',
  applies: { roads: ['local'] },
  value: { from: '02:00', to: '06:00' },
  words: 'Not at night.',
  source: 'B&P 25631',
  sure: 'law',
  read_on: '2026-11-22',
  valid_from: null,
  valid_to: null,
}

function problemWith(...rows: object[]): string {
  try {
    readRuleFile('file.json', JSON.stringify(rows))
    return 'taken'
  } catch (error) {
    return (error as Error).message
  }
}

test('the file that ships is read, and every rule in it says where and when it was read', () => {
  const rules = readRuleFile('rules.json', shipped)
  expect(rules.length).toBeGreaterThan(20)
  expect(rules.every((rule) => rule.source.length > 3 && rule.read_on >= '2026-11-21')).toBe(true)
})

test.each<[string, object[], string]>([
  ['a kind that is none', [{ ...hours, kind: 'houres' }], 'row 1: kind: Must be one of: destination'],
  ['an unknown state', [{ ...hours, state: 'XX' }], 'row 1: state: Must be one of: AL'],
  ['an unknown field', [{ ...hours, from: '02:00' }], 'row 1: from: This field is not known here'],
  ['a field left out', [{ ...hours, source: undefined }], 'row 1: source: '],
  ['a value of another form', [{ ...hours, value: { from: '2 AM', to: '06:00' } }], 'row 1: value.from: '],
  [
    'services without their list',
    [{ ...hours, kind: 'carrier_service', value: { carrier: 'FedEx', asks: 'services' } }],
    'row 1: value.services: Must be given',
  ],
  [
    'a list of services beside another demand',
    [
      {
        ...hours,
        kind: 'carrier_service',
        value: { carrier: 'FedEx', asks: 'sticker', services: ['Ground'] },
      },
    ],
    'row 1: value.services: Belongs to asks "services" alone',
  ],
  [
    'a dry area without its places',
    [{ ...hours, kind: 'dry_area', value: {} }],
    'row 1: applies.zips: Must be given',
  ],
  ['a date that is none', [{ ...hours, read_on: '2026-02-30' }], 'row 1: 2026-02-30 is not a real date'],
  [
    'an end before the beginning',
    [{ ...hours, valid_from: '2026-05-01', valid_to: '2026-04-30' }],
    'row 1: valid_to 2026-04-30 is before valid_from 2026-05-01',
  ],
  ['an id twice', [hours, { ...hours, state: 'NY' }], 'row 2: the id XX-HOURS is taken by row 1'],
  [
    'a contradiction',
    [hours, { ...hours, id: 'XX-LATER', value: { from: '00:00', to: '06:00' } }],
    'row 2: contradicts row 1',
  ],
  [
    'an overlap, for another order of the same words',
    [hours, { ...hours, id: 'XX-LATER', value: { to: '06:00', from: '02:00' }, valid_from: '2027-01-01' }],
    'row 2: says the same as row 1',
  ],
  [
    'a contradiction, where one names every road',
    [
      { ...hours, applies: {} },
      {
        ...hours,
        id: 'XX-LATER',
        applies: { roads: ['local', 'parcel'] },
        value: { from: '00:00', to: '06:00' },
      },
    ],
    'row 2: contradicts row 1',
  ],
  [
    'an overlap, with the choices in another order',
    [
      { ...hours, applies: { classes: ['wine', 'beer'] } },
      { ...hours, id: 'XX-LATER', applies: { classes: ['beer', 'wine'] } },
    ],
    'row 2: says the same as row 1',
  ],
])('%s refuses the file, with row and reason', (_, rows, problem) => {
  expect(problemWith(...rows)).toContain(`file.json: ${problem}`)
})

test('one after the other is no overlap', () => {
  const before = { ...hours, valid_to: '2026-12-31' }
  const after = { ...hours, id: 'XX-LATER', valid_from: '2027-01-01', value: { from: '00:00', to: '06:00' } }
  expect(problemWith(before, after)).toBe('taken')
})

test('rules that remove other records do not contradict each other', () => {
  const purge = (id: string, value: object) => ({ ...hours, id, kind: 'purge', value })
  const [ids, proofs] = [purge('XX-IDS', { after_days: 0 }), { after_days: 30, of: ['courier_proofs'] }]
  expect(problemWith(ids, purge('XX-PROOFS', proofs))).toBe('taken')
  const both = { after_days: 30, of: ['courier_proofs', 'id_fields'] }
  expect(problemWith(ids, purge('XX-BOTH', both))).toContain('row 2: contradicts row 1')
  expect(problemWith(purge('XX-NONE', { after_days: 30, of: [] }))).toContain('row 1: value.of: ')
  expect(problemWith(purge('XX-WORD', { after_days: 30, of: ['proofs'] }))).toContain('row 1: value.of')
})

test('text that is no list of rules', () => {
  expect(() => readRuleFile('file.json', '[{]')).toThrow(/^file\.json: /)
  expect(() => readRuleFile('file.json', '{}')).toThrow('file.json: must be a list of rules')
})

test('every server brings the rules up to its release, and writes only those that changed', async () => {
  const desk = await openDesk()
  try {
    const count = async (which = 'true') =>
      Number(
        (await desk.owner.query<{ n: string }>(`select count(*) as n from duty_rules where ${which}`)).rows[0]
          ?.n,
      )
    const rules = readRuleFile('rules.json', shipped)
    expect(await count()).toBe(rules.length)
    const { rows } = await desk.owner.query<{ xmin: string }>('select distinct xmin::text from duty_rules')
    await desk.app.db.system((statements) => writeRules(statements, rules))
    expect(await count(`xmin::text = '${rows[0]?.xmin}'`)).toBe(rules.length)
    const changed = rules.map((rule) => (rule.id === 'CA-HOURS' ? { ...rule, read_on: '2026-12-01' } : rule))
    await desk.app.db.system((statements) => writeRules(statements, changed))
    expect(await count("read_on = '2026-12-01'")).toBe(1)
    expect(await count(`xmin::text = '${rows[0]?.xmin}'`)).toBe(rules.length - 1)
  } finally {
    await desk.stop()
  }
})

test('after a release with other rules the open orders are asked again, and after one with the same rules none', async () => {
  const desk = await openDesk()
  try {
    const shop = await desk.openShop()
    const waiting = async () =>
      (await desk.owner.query("select from jobs where kind = 'check_duties'")).rowCount
    await desk.owner.query("update duty_rules set words = 'Look at the ID.' where rule_id = 'TERMS-AGE'")
    const order = await desk.order(shop, onDemand)
    expect(order.duties?.must).toMatchObject([{ words: 'Look at the ID.' }])
    await loadShippedRules(desk.app.db)
    await eventually(async () => {
      const { body } = await desk.call('GET /m/v2/orders/{id}', { as: shop.owner, params: { id: order.id } })
      expect(body.duties?.must).toMatchObject([{ words: expect.stringContaining('21 or older') as string }])
      expect(await waiting()).toBe(0)
    })
    await loadShippedRules(desk.app.db)
    expect(await waiting()).toBe(0)
  } finally {
    await desk.stop()
  }
})
