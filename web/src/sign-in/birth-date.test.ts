import { birthDate } from '@cellarhand/contract/validation'
import { expect, test } from 'vitest'
import { birthDays, birthYears, partsOf, toDay } from './birth-date.ts'

test('a hundred and twenty years, this year first', () => {
  const years = birthYears(2026)
  expect([years.length, years[0], years.at(-1)]).toEqual([120, '2026', '1907'])
})

test.each([
  ['', '', 31],
  ['01', '', 31],
  ['04', '1990', 30],
  ['02', '', 29],
  ['02', '1990', 28],
  ['02', '1992', 29],
  ['02', '1900', 28],
  ['02', '2000', 29],
  ['12', '2026', 31],
])('month %s of year %s has %i days', (month, year, count) => {
  const days = birthDays(month, year)
  expect([days.length, days[0], days.at(-1)]).toEqual([count, '01', String(count)])
})

test('no choice is empty, a partial choice is no real date, and all three parts give one', () => {
  expect(toDay({ year: '', month: '', day: '' })).toBe('')
  const partial = toDay({ year: '1990', month: '', day: '07' })
  expect(birthDate(Date.now())(partial)).toBe('You must choose a valid birth date')
  expect(partsOf(partial)).toEqual({ year: '1990', month: '', day: '07' })
  expect(partsOf('')).toEqual({ year: '', month: '', day: '' })
  expect(toDay({ year: '1990', month: '02', day: '07' })).toBe('1990-02-07')
})
