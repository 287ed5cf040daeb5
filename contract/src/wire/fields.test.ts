import { expect, test } from 'vitest'
import { endpoints } from './endpoints.ts'
import { Day, filledText, reasonText, text, Timestamp } from './fields.ts'

const fits = (schema: object, value: string) =>
  new RegExp('pattern' in schema ? String(schema.pattern) : '', 'u').test(value)

test('a text takes every character except NUL and lone surrogates, which PostgreSQL cannot store', () => {
  for (const value of ['', ' ', 'Zoë', '🍷', '\u202e', 'a\nb\tc', '\u0001', '\uffff', '__proto__'])
    expect([value, fits(text(), value)]).toEqual([value, true])
  for (const value of ['a\u0000', '\u0000', '\ud83c', 'a\udf77b', '\udf77\ud83c'])
    expect([value, fits(text(), value), fits(filledText(), value)]).toEqual([value, false, false])
})

test('a filled text has more than spaces', () => {
  for (const value of ['a', ' a', 'a ', '\n🍷\n', '0'])
    expect([value, fits(filledText(), value)]).toEqual([value, true])
  for (const value of ['', ' ', '\t\n\u00a0\u2003'])
    expect([value, fits(filledText(), value)]).toEqual([value, false])
})

test('a reason has something to see', () => {
  for (const value of ['a', ' a', '\u200ba', '\u202ereason', '🍷', 'a\u200b'])
    expect([value, fits(reasonText(), value)]).toEqual([value, true])
  for (const value of [
    '',
    ' ',
    '\u200b\u200b',
    '\ufeff',
    '\u2060 \u00ad',
    '\u3164',
    'a\u0000',
    '\u0000',
    '\ud83c',
  ])
    expect([value, fits(reasonText(), value)]).toEqual([value, false])
})

test('a moment has a zone and a reasonable year', () => {
  for (const value of ['2026-11-20T18:12:00Z', '2026-11-20T18:12:00.123456+05:30', '1999-01-01T00:00-05:00'])
    expect([value, fits(Timestamp, value)]).toEqual([value, true])
  for (const value of [
    '2026-11-20',
    '2026-11-20T18:12:00',
    '2026-11-20T24:00:00Z',
    '0000-01-01T00:00:00Z',
    '0099-01-01T00:00:00Z',
    '9999-12-31T23:59:00-23:59',
    '2026-11-20T18:12:00Z\n',
  ])
    expect([value, fits(Timestamp, value)]).toEqual([value, false])
  expect([fits(Day, '2026-11-20'), fits(Day, '0000-01-01'), fits(Day, '2026-11-20 ')]).toEqual([
    true,
    false,
    false,
  ])
})

function patternsIn(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return found
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'pattern' && typeof inner === 'string') found.add(inner)
    else patternsIn(inner, found)
  }
  return found
}

test('a long text cannot keep any pattern of the contract busy', () => {
  const patterns = [...patternsIn(endpoints.map(({ params, query, body }) => ({ params, query, body })))]
  expect(patterns.length).toBeGreaterThan(8)
  const fillers = ['x', ' ', '0', 'a_', 'new,', '!', '\u00a0', '-', '2026-11-20T']
  for (const pattern of patterns)
    for (const filler of fillers)
      for (const end of ['\u0000', '', ' \u0000'])
        new RegExp(pattern, 'u').test(filler.repeat(300_000 / filler.length) + end)
})
