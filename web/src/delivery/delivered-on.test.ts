import { expect, test } from 'vitest'
import { deliveredOn, fieldsAt } from './delivered-on.ts'

const zone = 'America/New_York'

test('the moment has the merchant’s offset of that day', () => {
  expect(deliveredOn({ date: '11/21/2026', time: '6:05', half: 'PM' }, zone)).toBe(
    '2026-11-21T18:05:00-05:00',
  )
  expect(deliveredOn({ date: '07/04/2026', time: '9:30', half: 'AM' }, zone)).toBe(
    '2026-07-04T09:30:00-04:00',
  )
})

test('12 AM is midnight and 12 PM is noon', () => {
  expect(deliveredOn({ date: '11/21/2026', time: '12:00', half: 'AM' }, zone)).toContain('T00:00:00')
  expect(deliveredOn({ date: '11/21/2026', time: '12:00', half: 'PM' }, zone)).toContain('T12:00:00')
})

test('DELIV-008 GAP-66 a repeated hour is read as the first, and a skipped one as the hour after it', () => {
  const at = (date: string, time: string) => deliveredOn({ date, time, half: 'AM' }, zone)
  expect(at('11/01/2026', '12:30')).toBe('2026-11-01T00:30:00-04:00')
  expect(at('11/01/2026', '1:30')).toBe('2026-11-01T01:30:00-04:00')
  expect(at('11/01/2026', '2:30')).toBe('2026-11-01T02:30:00-05:00')
  expect(at('03/08/2026', '1:30')).toBe('2026-03-08T01:30:00-05:00')
  expect(Date.parse(at('03/08/2026', '2:30') ?? '')).toBe(Date.parse('2026-03-08T03:30:00-04:00'))
  expect(at('03/08/2026', '3:30')).toBe('2026-03-08T03:30:00-04:00')
})

test('an invalid date or time is no moment', () => {
  for (const date of ['02/30/2026', '2026-11-21', '13/01/2026', '']) {
    expect(deliveredOn({ date, time: '12:00', half: 'PM' }, zone)).toBeUndefined()
  }
  for (const time of ['13:00', '0:30', '12:60', '12', '']) {
    expect(deliveredOn({ date: '11/21/2026', time, half: 'PM' }, zone)).toBeUndefined()
  }
  expect(deliveredOn({ date: '11/21/2026', time: '12:00', half: '' }, zone)).toBeUndefined()
})

test('the fields for now give the same minute again', () => {
  for (const moment of ['2026-11-21T04:59:00Z', '2026-07-01T16:00:00Z', '2026-03-08T07:30:00Z']) {
    const ms = Date.parse(moment)
    expect(Date.parse(deliveredOn(fieldsAt(ms, zone), zone) ?? '')).toBe(ms)
  }
})
