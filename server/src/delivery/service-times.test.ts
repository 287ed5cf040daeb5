import { expect, test } from 'vitest'
import { timeOf } from './couriers/provider-answers.ts'

test.each([
  ['1900-01-01T00:00:00Z', '1900-01-01T00:00:00.000Z'],
  ['1899-12-31T23:59:59Z', undefined],
  ['2999-12-31T23:59:59Z', '2999-12-31T23:59:59.000Z'],
  ['3000-01-01T00:00:00Z', undefined],
  // In the year 3000 already, by the clock of the answer's reader.
  ['2999-12-31T23:59:59-01:00', undefined],
])('of a service’s time %s an order takes %s', (said, taken) => {
  expect(timeOf(said)).toBe(taken)
})
