import { expect, test } from 'vitest'
import { dayCsv } from './day-csv.ts'
import type { DayFigures } from './queries.ts'

const spread = { median: null, p95: null }
const figures: DayFigures = {
  day: '2026-10-14',
  timezone: 'America/New_York',
  from: '2026-10-14T04:00:00.000Z',
  until: '2026-10-15T04:00:00.000Z',
  as_of: '2026-10-14T22:00:00.000Z',
  orders: 40,
  accepted: 10,
  waiting: 0,
  held: 0,
  rejected: 30,
  cancelled: 0,
  late: 7,
  to_accept: spread,
  to_hand_over: spread,
  open: 0,
  on_hold: 0,
  late_open: 0,
  hours: [],
  reasons: [
    { code: 'store_closed', text: null, count: 20 },
    { code: 'other', text: 'No gin', count: 4 },
  ],
  late_orders: [{ id: '1000001', is_open: false, late_minutes: 30, cause: 'on_the_road', n: 0 }],
  came_back: [],
}
const tablesOf = (of: DayFigures) =>
  dayCsv(of, [])
    .split('\r\n\r\n')
    .map((table) => table.trim().split('\r\n').slice(1))

test('reasons and late orders that the server does not name have a line, so that the parts add up to the totals', () => {
  const [, reasons, late] = tablesOf(figures)
  expect(reasons?.at(-1)).toBe('Other reasons,6')
  expect(reasons?.reduce((sum, line) => sum + Number(line.split(',').at(-1)), 0)).toBe(figures.rejected)
  expect(late?.slice(1)).toEqual(['More late orders,,,6 not named here'])
})

test('nothing is added where all are named', () => {
  const whole = dayCsv({ ...figures, rejected: 24, late: 1 }, [])
  expect(whole).not.toMatch(/Other reasons|More late orders/)
})
