import { expect, test } from 'vitest'
import {
  declaredValueLimit,
  declaredValueProblem,
  mostBoxes,
  readNumber,
  splitWeight,
  weightProblem,
} from './boxes.ts'

test('SHIP-004 VALID-014 VALID-015 VALID-016 VALID-017 the limits of a box’s weight', () => {
  const said = (text: string) => weightProblem(readNumber(text))
  expect(['', '  '].map(said)).toEqual(['Please enter the weight.', 'Please enter the weight.'])
  expect(['0', '0.009', '-3'].map(said)).toEqual(Array(3).fill('Min value is 0.01'))
  expect(['1000000', '999999.01'].map(said)).toEqual(Array(2).fill('Max value is 999999'))
  expect(['abc', '1e3', '1,5', '0x10'].map(said)).toEqual(Array(4).fill('Only numbers are accepted.'))
  expect(['0.01', '12.5', ' 7 ', '999999', '.5'].map(said)).toEqual(Array(5).fill(undefined))
})

test('SHIP-003 VALID-018 VALID-019 VALID-020 VALID-021 the limits of a box’s declared value', () => {
  const said = (text: string) => declaredValueProblem(readNumber(text))
  expect(['', '0', '4999.99'].map(said)).toEqual([undefined, undefined, undefined])
  expect([said('x'), said('-0.01'), said('5000')]).toEqual([
    'Only numbers are accepted.',
    'Min value is 0.',
    'Max value is 4999.99',
  ])
  expect(declaredValueLimit).toBe('$5,000.00')
  expect(readNumber('')).toBe(null)
})

test('SHIP-005 the order’s weight is split evenly to two decimals, without a remainder', () => {
  expect(splitWeight(10, 3)).toEqual([3.33, 3.33, 3.34])
  expect(splitWeight(24.5, 2)).toEqual([12.25, 12.25])
  expect(splitWeight(0.05, 2)).toEqual([0.02, 0.03])
  for (let count = 1; count <= 40; count++) {
    const sum = splitWeight(123.45, count).reduce((total, part) => total + Math.round(part * 100), 0)
    expect(sum).toBe(12_345)
  }
})

test('GAP-128 at most one box per bottle, without counting engravings', () => {
  expect(
    mostBoxes([
      { id: 'a', quantity: 3 },
      { id: 'e', quantity: 1, parent_line_item_id: 'a' },
    ]),
  ).toBe(3)
  expect(mostBoxes([])).toBe(1)
})
