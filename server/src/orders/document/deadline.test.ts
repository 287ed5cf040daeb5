import { expect, test } from 'vitest'
import { deadlineOf } from './deadline.ts'

function due(
  submitted: string,
  { method = 'shipped', timezone = 'America/New_York', windowEnd = null as string | null, readyAt = '' } = {},
) {
  return new Date(
    deadlineOf({
      method,
      windowEnd,
      timezone,
      submittedAtMs: Date.parse(submitted),
      readyAtMs: readyAt === '' ? null : Date.parse(readyAt),
    }),
  ).toISOString()
}

test('DELIV-009 GAP-85 an on-demand order is due two hours after its submission, even across a clock change', () => {
  expect(due('2026-11-20T18:00:00Z', { method: 'on_demand' })).toBe('2026-11-20T20:00:00.000Z')
  expect(due('2026-11-01T05:30:00Z', { method: 'on_demand' })).toBe('2026-11-01T07:30:00.000Z')
})

test('GAP-85 a scheduled order is due at its window’s end, or like a parcel without a window', () => {
  const windowEnd = '2026-11-25T22:00:00.000Z'
  expect(due('2026-11-20T18:00:00Z', { method: 'scheduled', windowEnd })).toBe(windowEnd)
  expect(due('2026-11-20T18:00:00Z', { method: 'scheduled' })).toBe('2026-11-23T18:00:00.000Z')
  expect(due('2026-11-20T18:00:00Z', { method: 'shipped', windowEnd })).toBe('2026-11-23T18:00:00.000Z')
})

test('GAP-85 a window is kept that ends after the bottles may leave; none that ends as they may', () => {
  const of = (windowEnd: string) =>
    due('2026-11-20T18:00:00Z', { method: 'scheduled', windowEnd, readyAt: '2026-11-24T05:00:00Z' })
  expect(of('2026-11-24T05:00:01.000Z')).toBe('2026-11-24T05:00:01.000Z')
  expect(of('2026-11-24T05:00:00.000Z')).toBe('2026-11-25T05:00:00.000Z')
})

test.each([
  ['Monday', '2026-11-16T18:00:00Z', '2026-11-17T18:00:00.000Z'],
  ['Thursday', '2026-11-19T18:00:00Z', '2026-11-20T18:00:00.000Z'],
  ['Friday', '2026-11-20T18:00:00Z', '2026-11-23T18:00:00.000Z'],
  ['Saturday', '2026-11-21T18:00:00Z', '2026-11-23T18:00:00.000Z'],
  ['Sunday', '2026-11-22T18:00:00Z', '2026-11-23T18:00:00.000Z'],
  ['Friday evening, already Saturday in UTC', '2026-11-21T03:00:00Z', '2026-11-24T03:00:00.000Z'],
  ['the Friday before the clocks go back', '2026-10-30T18:00:00Z', '2026-11-02T19:00:00.000Z'],
  ['the Friday before they go forward', '2026-03-06T18:00:00Z', '2026-03-09T17:00:00.000Z'],
  ['the year’s last Thursday', '2026-12-31T18:00:00Z', '2027-01-01T18:00:00.000Z'],
  ['the day before a leap day', '2028-02-28T18:00:00Z', '2028-02-29T18:00:00.000Z'],
])('GAP-85 a parcel is due one business day later by the shop’s clock: %s', (_name, submitted, deadline) => {
  expect(due(submitted)).toBe(deadline)
})

test('GAP-85 the business day is the shop’s, in any zone', () => {
  const timezone = 'Asia/Kolkata'
  expect(due('2026-11-20T18:00:00Z', { timezone })).toBe('2026-11-23T18:00:00.000Z')
  expect(due('2026-11-20T19:00:00Z', { timezone })).toBe('2026-11-22T19:00:00.000Z')
})

test('GAP-85 a presale’s day begins when it may ship', () => {
  const presale = { method: 'preorder', readyAt: '2026-12-04T00:00:00Z' }
  expect(due('2026-11-20T18:00:00Z', presale)).toBe('2026-12-05T00:00:00.000Z')
  expect(due('2026-11-20T18:00:00Z', { ...presale, readyAt: '2026-12-05T00:00:00Z' })).toBe(
    '2026-12-08T00:00:00.000Z',
  )
  expect(due('2026-12-08T18:00:00Z', presale)).toBe('2026-12-09T18:00:00.000Z')
})

test('DELIV-009 GAP-85 bottles on demand that have to wait are due like a parcel once they may leave', () => {
  const presale = { method: 'on_demand', readyAt: '2026-12-04T05:00:00Z' }
  expect(due('2026-11-20T18:00:00Z', presale)).toBe('2026-12-07T05:00:00.000Z')
  expect(due('2026-12-04T05:00:00Z', presale)).toBe('2026-12-04T07:00:00.000Z')
})

test('a closed weekday is no business day; a shop that opens only at weekends keeps all five', () => {
  const parcel = (openDays: number[] | null, submitted: string) =>
    new Date(
      deadlineOf({
        method: 'shipped',
        windowEnd: null,
        timezone: 'America/New_York',
        submittedAtMs: Date.parse(submitted),
        readyAtMs: null,
        openDays: openDays === null ? null : new Set(openDays),
      }),
    ).toISOString()
  const friday = '2026-11-20T18:00:00Z'
  expect(parcel([2, 3, 4, 5, 6], friday)).toBe('2026-11-24T18:00:00.000Z')
  expect(parcel([1, 6, 7], friday)).toBe('2026-11-23T18:00:00.000Z')
  expect(parcel([6, 7], friday)).toBe('2026-11-23T18:00:00.000Z')
  expect(parcel(null, friday)).toBe('2026-11-23T18:00:00.000Z')
})
