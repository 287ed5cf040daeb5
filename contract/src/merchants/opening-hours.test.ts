import { expect, test } from 'vitest'
import { weekdays, type Hours, type Weekday } from './merchants.ts'
import { openingAt } from './opening-hours.ts'

const hourMs = 3_600_000
const day = (weekday: Weekday, time_open = '09:00', time_close = '17:00') => ({
  weekday,
  time_open,
  time_close,
})
/** New York, with the clock changes of 2026 on March 8 and November 1. */
const newYork = (ms: number) => {
  const summer = ms >= Date.parse('2026-03-08T07:00:00Z') && ms < Date.parse('2026-11-01T06:00:00Z')
  return (summer ? -4 : -5) * hourMs
}
const at = (moment: string, hours: Hours['regular_hours'], leadAt = newYork) => {
  const { isOpen, sinceMs, untilMs } = openingAt({ hours, nowMs: Date.parse(moment), leadAt })
  const text = (ms: number) => (Number.isFinite(ms) ? new Date(ms).toISOString().slice(0, 16) : String(ms))
  return [isOpen, text(sinceMs), text(untilMs)]
}

test('a shop without saved hours is always open', () => {
  expect(at('2026-11-23T03:00:00Z', [])).toEqual([true, '-Infinity', 'Infinity'])
})

test.each([
  ['a minute before it opens', '2026-11-23T13:59:00Z', [false, '2026-11-20T22:00', '2026-11-23T14:00']],
  ['when it opens', '2026-11-23T14:00:00Z', [true, '2026-11-23T14:00', '2026-11-23T22:00']],
  ['the last moment', '2026-11-23T21:59:59Z', [true, '2026-11-23T14:00', '2026-11-23T22:00']],
  ['when it closes', '2026-11-23T22:00:00Z', [false, '2026-11-23T22:00', '2026-11-27T14:00']],
])('a shop of Mondays and Fridays: %s', (_when, moment, expected) => {
  expect(at(moment, [day('monday'), day('friday')])).toEqual(expected)
})

test('an evening that ends at 11:59 PM goes on into a day that opens at midnight', () => {
  const hours = [day('friday', '16:00', '23:59'), day('saturday', '00:00', '02:00')]
  expect(at('2026-11-28T04:59:30Z', hours)).toEqual([true, '2026-11-27T21:00', '2026-11-28T07:00'])
  expect(at('2026-11-28T05:30:00Z', hours)).toEqual([true, '2026-11-27T21:00', '2026-11-28T07:00'])
})

test('a shop that is open day and night has no closing within the week', () => {
  const hours = weekdays.map((weekday) => day(weekday, '00:00', '23:59'))
  const { isOpen, sinceMs, untilMs } = openingAt({
    hours,
    nowMs: Date.parse('2026-11-23T12:00:00Z'),
    leadAt: newYork,
  })
  expect(isOpen).toBe(true)
  expect(untilMs - sinceMs).toBeGreaterThan(16 * 24 * hourMs)
})

test('the hours are those of the shop’s clocks, also on the days when they change', () => {
  const sunday = [day('sunday')]
  expect(at('2026-11-01T15:00:00Z', sunday)).toEqual([true, '2026-11-01T14:00', '2026-11-01T22:00'])
  expect(at('2026-10-25T15:00:00Z', sunday)).toEqual([true, '2026-10-25T13:00', '2026-10-25T21:00'])
})

test('a shop that opens once a week is closed until then', () => {
  expect(at('2026-11-23T23:00:00Z', [day('monday')])).toEqual([false, '2026-11-23T22:00', '2026-11-30T14:00'])
})
