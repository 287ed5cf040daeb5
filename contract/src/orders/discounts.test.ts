import { expect, test } from 'vitest'
import { discountOf, discountRows } from './discounts.ts'

const order = ([line, subtotal, total]: readonly [number, number, number], discount = 10) => ({
  items: [
    { price: 20, quantity: 1, subtotal: 20 },
    { price: 25, quantity: 2, subtotal: line, discount },
  ],
  transaction: { subtotal, tax: 1, tip: 0.5, total },
})

test.each([
  ['in the lines', order([40, 60, 61.5]), 'lines'],
  ['in the subtotal', order([50, 60, 61.5]), 'subtotal'],
  ['in the total', order([50, 70, 61.5]), 'total'],
  ['never', order([50, 70, 71.5]), 'nowhere'],
  ['where there is none', order([50, 70, 71.5], 0), 'nowhere'],
] as const)('GAP-65 a discount taken %s', (_name, sums, place) => {
  expect(discountOf(sums).place).toBe(place)
})

test('GAP-65 only a discount that no line and no sum shows needs rows of its own', () => {
  expect(discountRows(order([40, 60, 61.5]))).toEqual({ aboveSubtotal: [], aboveTotal: [] })
  expect(discountRows(order([50, 60, 61.5]))).toEqual({
    aboveSubtotal: [
      { name: 'Items', amount: 70 },
      { name: 'Discount', amount: -10 },
    ],
    aboveTotal: [],
  })
  expect(discountRows(order([50, 70, 61.5]))).toEqual({
    aboveSubtotal: [],
    aboveTotal: [{ name: 'Discount', amount: -10 }],
  })
})
