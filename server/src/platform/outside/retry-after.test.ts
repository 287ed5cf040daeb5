import { expect, test } from 'vitest'
import { readRetryAfter } from './retry-after.ts'

test('Retry-After is seconds or a date', () => {
  const now = Date.parse('2026-11-20T10:00:00Z')
  expect(readRetryAfter('120', now)).toBe(120_000)
  expect(readRetryAfter('Fri, 20 Nov 2026 10:01:00 GMT', now)).toBe(60_000)
  expect(readRetryAfter('Fri, 20 Nov 2026 09:00:00 GMT', now)).toBe(0)
  expect(readRetryAfter('soon', now)).toBeUndefined()
  expect(readRetryAfter(undefined, now)).toBeUndefined()
})
