import { describe, expect, test } from 'vitest'
import type { ShopRule } from './queries.ts'
import { fieldsOf, heldRule, isRead, isSameRule, readFields, tells, valueWords } from './rule-form.ts'

type Rule = ShopRule['rule']

function rule(kind: Rule['kind'], value: unknown, applies: Rule['applies'] = {}): Rule {
  return {
    id: 'R-1',
    country: 'US',
    state: null,
    kind,
    applies,
    value,
    words: 'Words.',
    source: 'https://example.com/law',
    sure: 'law',
    read_on: '2026-11-21',
    valid_from: null,
    valid_to: null,
  }
}

const rules: readonly Rule[] = [
  rule(
    'destination',
    { answer: 'deny' },
    { classes: ['spirits'], from: 'other_state', zips: ['841', '84103'] },
  ),
  rule('dry_area', {}),
  rule('po_box', {}, { roads: ['parcel'] }),
  rule('carrier_service', { carrier: 'UPS', asks: 'services', services: ['Ground', 'Next Day'] }),
  rule('carrier_service', { carrier: 'FedEx', asks: 'sticker' }),
  rule('adult_signature', {}, { abv_over: 0.5 }),
  rule('hours', { from: '02:00', to: '06:00' }, { roads: ['local'] }),
  rule('age_check', { is_electronic: true, record: ['name'] }),
  rule('age_check', {}),
  rule('retention', { years: 2 }),
  rule('purge', { after_days: 30 }),
  rule('slip_text', { text: 'Signature of a person 21 or older' }),
  rule('volume_report', { litres: 75.7 }),
  rule('quantity_limit', { litres: 9 }),
]

test.each(rules.map((each) => [`${each.kind} ${JSON.stringify(each.value)}`, each] as const))(
  '%s: the fields say what the rule says',
  (_name, each) => {
    const read = readFields(each, fieldsOf(each))
    expect(read).toEqual({ applies: each.applies, value: each.value })
    expect(isRead(read) && isSameRule(read, each)).toBe(true)
  },
)

test('a rule about fewer orders, with another value', () => {
  const hours = rule('hours', { from: '02:00', to: '06:00' })
  const fields = fieldsOf(hours)
  const read = readFields(hours, {
    ...fields,
    roads: ['local'],
    classes: ['wine', 'beer'],
    abv_over: '16',
    zips: '100, 10001',
    value: { from: '01:00', to: '07:30' },
  })
  expect(read).toEqual({
    applies: { roads: ['local'], classes: ['wine', 'beer'], abv_over: 16, zips: ['100', '10001'] },
    value: { from: '01:00', to: '07:30' },
  })
  expect(isRead(read) && isSameRule(read, hours)).toBe(false)
})

test('the order of a list of drinks makes no other rule', () => {
  const one = rule('po_box', {}, { classes: ['wine', 'beer'] })
  const fields = fieldsOf(one)
  const read = readFields(one, { ...fields, classes: fields.classes.toReversed() })
  expect(isRead(read) && isSameRule(read, one)).toBe(true)
})

describe('what is wrong, at its field', () => {
  test.each<[string, Rule, Partial<ReturnType<typeof fieldsOf>>, string]>([
    ['no road', rule('po_box', {}), { roads: [] }, 'roads'],
    ['no drink', rule('po_box', {}), { classes: [] }, 'classes'],
    ['a zip code of letters', rule('po_box', {}), { zips: '841, abc' }, 'zips'],
    ['strength in words', rule('po_box', {}), { abv_over: 'strong' }, 'abv_over'],
    ['strength above 100', rule('po_box', {}), { abv_over: '101' }, 'abv_over'],
    ['no litres', rule('quantity_limit', { litres: 9 }), { value: { litres: '' } }, 'litres'],
    ['litres below 0', rule('quantity_limit', { litres: 9 }), { value: { litres: '-1' } }, 'litres'],
    ['no time', rule('hours', { from: '02:00', to: '06:00' }), { value: { from: '2', to: '06:00' } }, 'from'],
    ['no text', rule('slip_text', { text: 'x' }), { value: { text: ' ' } }, 'text'],
  ])('%s', (...[, each, part, field]) => {
    const read = readFields(each, { ...fieldsOf(each), ...part })
    expect(isRead(read)).toBe(false)
    expect(Object.keys(read)).toEqual([field])
  })
})

test('a changed rule shows the owner’s own value and orders', () => {
  const decision = { decision: 'changed', reason: 'x', by: 'Ada', on: '2026-11-22' } as const
  const own = rule('quantity_limit', { litres: 9 })
  const held = heldRule({
    rule: own,
    decision: { ...decision, applies: { roads: ['local'] }, value: { litres: 4.5 } },
  })
  expect(held).toEqual({ ...own, applies: { roads: ['local'] }, value: { litres: 4.5 } })
  expect(heldRule({ rule: own, decision: { ...decision, applies: null, value: null } })).toEqual(own)
  expect(heldRule({ rule: own, decision: null })).toBe(own)
})

test.each([
  [rules[0], 'Answer: Not allowed'],
  [rules[3], 'Services: Ground, Next Day'],
  [rules[6], 'No hand-over from: 02:00, Until: 06:00'],
  [rules[7], 'The ID must be scanned'],
  [rules[1], ''],
])('the value in words', (each, words) => {
  expect(each && valueWords(each)).toBe(words)
})

test.each([
  ['', true],
  ['virginia', true],
  ['  Check   VIRGINIA ', true],
  ['va-age', true],
  ['lis.virginia', true],
  ['local', true],
  ['utah', false],
  ['virginia wine', false],
])('a rule is found by "%s": %s', (words, isFound) => {
  const own: Rule = {
    ...rule('age_check', {}, { roads: ['local'] }),
    id: 'VA-AGE',
    state: 'VA',
    words: 'Check the ID.',
    source: 'law.lis.virginia.gov 4.1-212.2',
  }
  expect(tells({ rule: own }, words)).toBe(isFound)
})
