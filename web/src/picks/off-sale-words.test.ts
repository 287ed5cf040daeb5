import { expect, test } from 'vitest'
import { offSaleWords } from './off-sale-words.ts'
import type { PickLine } from './queries.ts'

const line: PickLine = {
  id: 'l',
  name: 'Rye',
  container_size: null,
  image_spec: null,
  merchant_sku: null,
  offering_id: 'o-rye',
  location: null,
  code_ends: null,
  is_active: true,
  quantity: 1,
  missing: 0,
  picked: 0,
  by_hand: 0,
  too_many: 0,
}
const { is_active: _, ...unlisted } = { ...line, offering_id: null }
const taken = { at: '2026-11-27T10:00:00.000Z', by: 'Ada Marsh', order_id: '7' }

test.each([
  [
    'on sale',
    line,
    'If the shelf has no more of it, take Rye off sale, so that nobody orders it until the next stock list that has it. Only that list puts it back. This order stays as it is.',
  ],
  [
    'taken down',
    { ...line, is_active: false, taken_down: taken },
    'Off sale until the next stock list that has it: Rye, taken down by Ada Marsh for #7.',
  ],
  ['inactive', { ...line, is_active: false }, 'Rye is not on sale: the stock list says so.'],
  [
    'unknown to the stock list',
    unlisted,
    'The stock list does not have Rye, so it cannot be taken off sale here.',
  ],
] as const)('a bottle that is %s', (_which, seen, words) => expect(offSaleWords(seen)).toBe(words))
