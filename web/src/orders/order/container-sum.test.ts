import { expect, test } from 'vitest'
import { containerSum } from './container-sum.ts'
import type { Order } from '@cellarhand/contract/orders'

function sumOf(...sizes: [size: string | null, quantity: number][]): string {
  const items = sizes.map(([container_size, quantity]) => ({
    quantity,
    product: { id: '1', container_size },
  }))
  return containerSum(items as Order['items'])
}

test('sizes are multiplied by their quantity and added', () => {
  expect(sumOf(['375 mL', 2], ['50 ml', 1])).toBe('800 mL')
  expect(sumOf(['6 x 100 mL', 1], ['50 mL', 2])).toBe('700 mL')
})

test('only a sum over 1000 mL shows in litres', () => {
  expect(sumOf(['500 mL', 2])).toBe('1000 mL')
  expect(sumOf(['750 mL', 2])).toBe('1.50 L')
  expect(sumOf(['1.75 L', 1], ['750 mL', 1])).toBe('2.50 L')
})

test('other sizes are left out, and without any there is no sum', () => {
  expect(sumOf(['6 pack', 2], ['750 mL', 1])).toBe('750 mL')
  expect(sumOf(['12 oz', 1], [null, 3])).toBe('')
})
