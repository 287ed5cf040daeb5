import { describe, expect, test } from 'vitest'
import { fromWallTime, isTimezone, isoWeekday, toWallTime } from './zoned-time.ts'

const wall = (text: string) => {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = text.split(/\D/).map(Number)
  return { year, month, day, hour, minute, second }
}
const moment = (text: string, timezone: string) => new Date(fromWallTime(wall(text), timezone)).toISOString()

describe('a wall clock and its moment', () => {
  test.each([
    ['a plain afternoon', '2026-11-20 13:00:00', ['America/New_York', '2026-11-20T18:00:00.000Z'] as const],
    [
      'a half hour that New York skips',
      '2026-03-08 02:30:00',
      ['America/New_York', '2026-03-08T07:30:00.000Z'] as const,
    ],
    [
      'one that it has twice',
      '2026-11-01 01:30:00',
      ['America/New_York', '2026-11-01T05:30:00.000Z'] as const,
    ],
    [
      'Lord Howe’s half hour',
      '2026-04-05 01:45:00',
      ['Australia/Lord_Howe', '2026-04-04T14:45:00.000Z'] as const,
    ],
    [
      'Phoenix, which never changes',
      '2026-07-01 12:00:00',
      ['America/Phoenix', '2026-07-01T19:00:00.000Z'] as const,
    ],
    ['Kolkata', '2026-11-20 00:00:00', ['Asia/Kolkata', '2026-11-19T18:30:00.000Z'] as const],
    [
      'Apia across the date line',
      '2026-01-01 00:00:00',
      ['Pacific/Apia', '2025-12-31T11:00:00.000Z'] as const,
    ],
    ['a leap day', '2028-02-29 23:59:59', ['America/New_York', '2028-03-01T04:59:59.000Z'] as const],
    ['after 2038', '2040-06-01 12:00:00', ['America/New_York', '2040-06-01T16:00:00.000Z'] as const],
    ['midnight', '2026-11-20 00:00:00', ['UTC', '2026-11-20T00:00:00.000Z'] as const],
  ])('%s: %s', (_name, text, [timezone, utc]) => {
    expect(moment(text, timezone)).toBe(utc)
  })

  test('every hour of a year in four zones converts there and back', () => {
    const lost: string[] = []
    const startMs = Date.parse('2026-01-01T00:00:00Z')
    for (const timezone of ['America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'Pacific/Apia']) {
      for (let hour = 0; hour < 365 * 24; hour += 1) {
        const timeMs = startMs + hour * 3_600_000
        const shown = toWallTime(timeMs, timezone)
        const back = fromWallTime(shown, timezone)
        // A repeated hour comes back as the first of the two; its clock shows the same.
        if (JSON.stringify(toWallTime(back, timezone)) !== JSON.stringify(shown) || back > timeMs)
          lost.push(`${timezone} ${timeMs}`)
      }
    }
    expect(lost).toEqual([])
  })
})

test('a week starts on Monday', () => {
  const days = [
    '2026-11-16',
    '2026-11-17',
    '2026-11-18',
    '2026-11-19',
    '2026-11-20',
    '2026-11-21',
    '2026-11-22',
  ]
  expect(days.map((day) => isoWeekday(wall(day)))).toEqual([1, 2, 3, 4, 5, 6, 7])
})

test('only a name from the time zone database is a time zone', () => {
  expect(isTimezone('America/New_York')).toBe(true)
  for (const name of ['Mars/Olympus', '', "'; drop table", 'New York']) expect(isTimezone(name)).toBe(false)
})
