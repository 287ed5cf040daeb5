import { expect, test } from 'vitest'
import { formatDollars, isWholeCents, toCents, toDollars } from './money.ts'

test('GAP-65 every amount of whole cents is the same after conversion to cents and back', () => {
  const lost: number[] = []
  for (let cents = 0; cents <= 1_000_000; cents++) {
    const dollars = Number((cents / 100).toFixed(2))
    if (toCents(dollars) !== cents || toDollars(cents) !== dollars || !isWholeCents(dollars)) lost.push(cents)
  }
  expect(lost).toEqual([])
  for (const dollars of [9_999_999.99, 10_000_000, 1_234_567.89, 0.29])
    expect(toDollars(toCents(dollars))).toBe(dollars)
})

test('GAP-65 a fraction of a cent is no amount', () => {
  for (const dollars of [0.001, 1.005, 10.999, 9_999_999.991, 1e-5, Number.NaN, Number.POSITIVE_INFINITY])
    expect(isWholeCents(dollars)).toBe(false)
})

test('GAP-65 amounts show as US dollars', () => {
  expect(formatDollars(1042)).toBe('$1,042.00')
  expect(formatDollars(0)).toBe('$0.00')
  expect(formatDollars(5000)).toBe('$5,000.00')
  expect(formatDollars(0.1 + 0.2)).toBe('$0.30')
})
