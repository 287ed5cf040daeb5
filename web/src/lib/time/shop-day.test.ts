import { afterEach, expect, test, vi } from 'vitest'
import { learnShopZone, shopToday } from './shop-day.ts'

afterEach(() => void vi.useRealTimers())

test('VIEW-016 GAP-110 today is the day of the shop’s clock', () => {
  vi.useFakeTimers({ now: Date.parse('2026-12-12T05:30:00Z') })
  for (const [timezone, today] of [
    ['America/Los_Angeles', '2026-12-11'],
    ['Pacific/Kiritimati', '2026-12-12'],
    ['Europe/Paris', '2026-12-12'],
  ]) {
    learnShopZone({ timezone: timezone ?? '' })
    expect([timezone, shopToday()]).toEqual([timezone, today])
  }
  vi.setSystemTime(Date.parse('2026-12-31T12:00:00Z'))
  learnShopZone({ timezone: 'Pacific/Kiritimati' })
  expect(shopToday()).toBe('2027-01-01')
})
