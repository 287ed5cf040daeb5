import type { DutyRule } from '@cellarhand/contract/duty-rules'
import { expect, test } from 'vitest'
import { periodOf, periodProblems } from './sales/period.ts'
import { rulesInForce, type DecidedAt } from './rules-in-force.ts'

const may = periodOf({ from: '2026-05-01', to: '2026-05-31' }, 'America/New_York')

function version(loaded: string, changes: Partial<DutyRule> = {}) {
  const rule = {
    id: 'CA-HOURS',
    kind: 'hours',
    value: { from: '02:00', to: '06:00' },
    applies: {},
    sure: 'law',
    valid_from: null,
    valid_to: null,
    ...changes,
  } as DutyRule
  return { loadedMs: Date.parse(loaded), rule }
}

function decided(at: string, changes: Partial<DecidedAt> = {}): DecidedAt {
  const decision = { decision: 'confirmed', applies: null, value: null, reason: null, by: 'Ada' } as const
  return { ruleId: 'CA-HOURS', ...decision, ...changes, atMs: Date.parse(at) }
}

function shown(...given: Parameters<typeof rulesInForce>) {
  return rulesInForce(...given).map(({ fromMs, endMs, stood, rule }) => [
    new Date(fromMs).toISOString(),
    new Date(endMs).toISOString(),
    stood,
    rule.value,
  ])
}

const [begin, end] = ['2026-05-01T04:00:00.000Z', '2026-06-01T04:00:00.000Z']
const night = { from: '02:00', to: '06:00' }

test('a rule from before the days stands through all of them, as it stood before', () => {
  const versions = [version('2026-01-01T00:00Z')]
  expect(shown(versions, [], may)).toEqual([[begin, end, 'told', night]])
  expect(shown(versions, [decided('2026-02-01T00:00Z')], may)).toEqual([[begin, end, 'counted', night]])
  expect(shown([version('2026-01-01T00:00Z', { sure: 'terms' })], [], may)).toEqual([
    [begin, end, 'counted', night],
  ])
})

test('each decision cuts the days at its moment, and an owner’s value counts from there', () => {
  const early = { from: '00:00', to: '06:00' }
  expect(
    shown(
      [version('2026-01-01T00:00Z')],
      [
        decided('2026-05-10T15:00:00.000Z'),
        decided('2026-05-10T16:00:00.000Z', { decision: 'changed', value: early }),
        decided('2026-05-20T15:00:00.000Z', { decision: 'set_aside' }),
        decided('2026-06-20T15:00:00.000Z'),
      ],
      may,
    ),
  ).toEqual([
    [begin, '2026-05-10T15:00:00.000Z', 'told', night],
    ['2026-05-10T15:00:00.000Z', '2026-05-10T16:00:00.000Z', 'counted', night],
    ['2026-05-10T16:00:00.000Z', '2026-05-20T15:00:00.000Z', 'counted', early],
    ['2026-05-20T15:00:00.000Z', end, 'set aside', night],
  ])
})

test('another text cuts them too, and a rule is not there before it was loaded', () => {
  const later = { from: '03:00', to: '06:00' }
  expect(
    shown(
      [version('2026-05-12T00:00:00.000Z', { value: later }), version('2026-05-02T00:00:00.000Z')],
      [],
      may,
    ),
  ).toEqual([
    ['2026-05-02T00:00:00.000Z', '2026-05-12T00:00:00.000Z', 'told', night],
    ['2026-05-12T00:00:00.000Z', end, 'told', later],
  ])
})

test('a rule stands on the days of its validity, in the shop’s zone', () => {
  const valid = { valid_from: '2026-05-05', valid_to: '2026-05-06' }
  expect(shown([version('2026-01-01T00:00Z', valid)], [], may)).toEqual([
    ['2026-05-05T04:00:00.000Z', '2026-05-07T04:00:00.000Z', 'told', night],
  ])
  expect(shown([version('2026-01-01T00:00Z', { valid_to: '2026-04-30' })], [], may)).toEqual([])
})

test('decisions about another rule change nothing', () => {
  expect(
    shown([version('2026-01-01T00:00Z')], [decided('2026-05-10T15:00Z', { ruleId: 'NY' })], may),
  ).toEqual([[begin, end, 'told', night]])
})

test('a range that ends before it begins, or days that are none, are named', () => {
  expect(periodProblems({ from: '2026-05-01', to: '2026-05-01' })).toEqual({})
  expect(Object.keys(periodProblems({ from: '2026-05-02', to: '2026-05-01' }))).toEqual(['to'])
  expect(Object.keys(periodProblems({ from: '2026-02-29', to: '2026-05-01' }))).toEqual(['from'])
  expect(Object.keys(periodProblems({ from: '2026-02-28', to: '2026-13-01' }))).toEqual(['to'])
  expect(Object.keys(periodProblems({ from: 'yesterday', to: '2026-05-01' }))).toEqual(['from'])
})

test('a changed rule says what the owner has decided, and no longer what was shipped', () => {
  const shipped = version('2026-01-01T00:00Z', { words: 'No hand-over from 2 AM to 6 AM.' })
  const value = { from: '00:00', to: '07:00' }
  const change = decided('2026-05-10T15:00:00.000Z', { decision: 'changed', value })
  const words = rulesInForce([shipped], [change], may).map(({ rule }) => rule.words)
  expect(words).toEqual([
    'No hand-over from 2 AM to 6 AM.',
    'An owner of the shop has decided: no hand-over from 00:00 to 07:00.',
  ])
})
