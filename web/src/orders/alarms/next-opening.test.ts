import { expect, test } from 'vitest'
import { nextOpening } from './next-opening.ts'

const weekdays = (['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] as const).map((weekday) => ({
  weekday,
  time_open: '10:30',
  time_close: '20:00',
}))
const opening = (now: string, hours = weekdays, timezone = 'America/New_York') =>
  new Date(nextOpening(hours, timezone, Date.parse(now))).toISOString()

test('tomorrow’s opening follows the shop’s clock, on any day elsewhere', () => {
  expect(opening('2026-11-18T23:00:00Z')).toBe('2026-11-19T15:30:00.000Z')
  expect(opening('2026-11-19T04:30:00Z')).toBe('2026-11-19T15:30:00.000Z')
  expect(opening('2026-11-19T05:30:00Z')).toBe('2026-11-20T15:30:00.000Z')
})

test('days on which the shop is closed are skipped', () => {
  expect(opening('2026-11-20T18:00:00Z')).toBe('2026-11-23T15:30:00.000Z')
})

test('without hours it is nine in the morning', () => {
  expect(opening('2026-11-20T18:00:00Z', [])).toBe('2026-11-21T14:00:00.000Z')
})

test('the night in which the clocks change does not move the opening', () => {
  expect(opening('2026-03-07T18:00:00Z', [])).toBe('2026-03-08T13:00:00.000Z')
  expect(opening('2026-10-31T18:00:00Z', [])).toBe('2026-11-01T14:00:00.000Z')
})
