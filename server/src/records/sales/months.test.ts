import { expect, test } from 'vitest'
import { isUnchecked } from './months.ts'

type Order = Parameters<typeof isUnchecked>[0]

const closed = (age_check: object | undefined, method = 'on_demand') =>
  ({ status: 'CLOSED', delivery: { method }, ...(age_check && { age_check }) }) as Order

test('a local order that was closed counts as unchecked without a check that passed, also after one that did not', () => {
  expect(isUnchecked(closed(undefined))).toBe(true)
  expect(isUnchecked(closed({ result: 'refused' }))).toBe(true)
  expect(isUnchecked(closed({ result: 'passed' }))).toBe(false)
  expect(isUnchecked(closed(undefined, 'shipped'))).toBe(false)
  expect(isUnchecked({ ...closed(undefined), status: 'MERCHANT_SHIPPED' })).toBe(false)
})
