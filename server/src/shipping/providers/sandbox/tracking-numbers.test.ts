import { expect, test } from 'vitest'
import { makeTrackingNumber } from './tracking-numbers.ts'

const zeros = (count: number) => '0'.repeat(count)
const counting = (count: number) => '1234567890123'.slice(0, count)

test('the check digits follow the carriers’ own rules', () => {
  // UPS' published example 1Z 999 AA1 01 2345 678 4 follows the same rule, worked out here for our own prefix.
  for (const digits of [zeros, counting]) {
    const ups = makeTrackingNumber('UPS', digits)
    expect(ups).toMatch(/^1Z[0-9A-Z]{16}$/)
    const values = Array.from(ups.slice(2, 17), (c) =>
      /\d/.test(c) ? Number(c) : (c.charCodeAt(0) - 63) % 10,
    )
    const odd = values.filter((_, index) => index % 2 === 0).reduce((a, b) => a + b, 0)
    const even = values.filter((_, index) => index % 2 === 1).reduce((a, b) => a + b, 0)
    expect((odd + 2 * even + Number(ups[17])) % 10).toBe(0)

    const fedex = makeTrackingNumber('FedEx', digits)
    expect(fedex).toMatch(/^\d{12}$/)
    const weights = [3, 1, 7, 3, 1, 7, 3, 1, 7, 3, 1]
    const sum = weights.reduce((total, weight, index) => total + weight * Number(fedex[index]), 0)
    expect((sum % 11) % 10).toBe(Number(fedex[11]))
    expect(makeTrackingNumber('GSO', digits)).toMatch(/^\d{10}$/)
  }
})

test('the UPS rule gives the check digit of UPS’s published example', () => {
  const values = Array.from('999AA1012345678', (c) =>
    /\d/.test(c) ? Number(c) : (c.charCodeAt(0) - 63) % 10,
  )
  const sum = values.reduce((total, value, index) => total + value * (index % 2 === 0 ? 1 : 2), 0)
  expect((10 - (sum % 10)) % 10).toBe(4)
})
