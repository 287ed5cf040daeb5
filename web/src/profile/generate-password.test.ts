import { expect, test } from 'vitest'
import { belowFrom, generatePassword } from './generate-password.ts'

const countOf = (text: string, pattern: RegExp) => (text.match(pattern) ?? []).length

test('PROF-004 PROF-005 six lowercase letters, three uppercase, three symbols and four digits', () => {
  for (let round = 0; round < 500; round++) {
    const password = generatePassword()
    expect([
      password.length,
      countOf(password, /[a-z]/g),
      countOf(password, /[A-Z]/g),
      countOf(password, /[#!$&*()]/g),
      countOf(password, /\d/g),
    ]).toEqual([16, 6, 3, 3, 4])
  }
})

test('it is shuffled: each place gets each kind in proportion', () => {
  const rounds = 4_000
  const digitsAt = Array.from({ length: 16 }, () => 0)
  for (let round = 0; round < rounds; round++)
    for (const [place, sign] of [...generatePassword()].entries())
      if (/\d/.test(sign)) digitsAt[place] = (digitsAt[place] ?? 0) + 1
  // A quarter of the signs are digits; six standard deviations of a binomial count either way.
  const spread = 6 * Math.sqrt(rounds * 0.25 * 0.75)
  for (const count of digitsAt) expect(Math.abs(count - rounds / 4)).toBeLessThan(spread)
})

test('no two are the same', () => {
  expect(new Set(Array.from({ length: 1_000 }, () => generatePassword())).size).toBe(1_000)
})

test('a byte that would favour the first values is dropped', () => {
  const bytes = [255, 252, 251, 6, 7]
  const below = belowFrom(() => bytes.shift() ?? 0)
  expect([below(7), below(7), below(7)]).toEqual([251 % 7, 6, 0])
})

test('the shuffle picks all remaining characters equally often', () => {
  const limits: number[] = []
  generatePassword((limit) => {
    limits.push(limit)
    return limit - 1
  })
  expect(limits.slice(16)).toEqual([16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
})
