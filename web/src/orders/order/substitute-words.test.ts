import type { Order } from '@cellarhand/contract/orders'
import { expect, test } from 'vitest'
import { agreedWords } from './substitute-words.ts'

const gin = { id: 'gin' }
const declined = { state: 'declined' }

function wordsOf(agreed: object | undefined, offers: object[] = [declined]): string | undefined {
  return agreedWords({ substitutes: { offers, agreed } } as unknown as Order)
}

test('what was agreed in words: the total while a line is left, else the cancellation', () => {
  expect(wordsOf(undefined)).toBeUndefined()
  expect(wordsOf({ items: [gin], transaction: { total: 128.7 }, refund: -5.5 })).toBe(
    'Agreed total $128.70, $5.50 more. The marketplace sends the corrected order.',
  )
  expect(wordsOf({ items: [gin], transaction: { total: 100 }, refund: 0 })).toBe(
    'Agreed total $100.00, the same. The marketplace sends the corrected order.',
  )
  const none = { items: [], transaction: { total: 7.99 }, refund: 115.21 }
  expect(wordsOf(none)).toBe('No bottle of this order is left. The marketplace cancels it.')
  expect(wordsOf(none, [declined, { state: 'offered' }])).toBe(
    'No bottle is agreed so far. The customer still has to answer.',
  )
})
