import { expect, test } from 'vitest'
import { formatLocal } from './last-update.ts'

test('INV-003 GAP-175 a moment by this device’s clock', () => {
  expect(formatLocal(new Date(2026, 2, 5, 0, 7).getTime())).toBe('03/05/2026 12:07 am')
  expect(formatLocal(new Date(2026, 10, 21, 12, 30).getTime())).toBe('11/21/2026 12:30 pm')
  expect(formatLocal(new Date(2026, 10, 21, 19, 5).getTime())).toBe('11/21/2026 07:05 pm')
})
