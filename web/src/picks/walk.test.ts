import { expect, test } from 'vitest'
import type { PickLine, PickOrder } from './queries.ts'
import { stopAt, walkOf, wordsApart } from './walk.ts'

const line = (name: string, location: string | null, picked = 0): PickLine => ({
  id: name,
  name,
  container_size: null,
  image_spec: null,
  merchant_sku: null,
  offering_id: null,
  location,
  code_ends: null,
  quantity: 1,
  missing: 0,
  picked,
  by_hand: 0,
  too_many: 0,
})
const order = (id: string, lines: PickLine[], isOpen = true): PickOrder => ({
  id,
  status: 'SUBMITTED',
  version: 1,
  recipient: 'Dee',
  deadline_at: '2026-11-24T18:00:00Z',
  delivery_method: 'on_demand',
  is_open: isOpen,
  lines,
  picked_at: null,
})

test('the walk goes shelf by shelf, and keeps the orders apart', () => {
  const walk = walkOf([
    order('2', [line('Rye', 'B-11'), line('Cider', null), line('Gin', 'A-02')]),
    order('1', [line('Rye', 'B-11'), line('Agave', 'B-2')]),
  ])
  expect(walk.map(({ line: { name }, tote }) => `${name} ${tote}`)).toEqual([
    'Gin A',
    'Agave B',
    'Rye A',
    'Rye B',
    'Cider A',
  ])
})

test('the line at hand is the chosen one, else the first that is left of an order that goes on', () => {
  const walk = walkOf([
    order('1', [line('Gin', 'A-1', 1), line('Rye', 'B-1')]),
    order('2', [line('Aquavit', 'A-2')], false),
    order('3', [line('Rum', 'C-1')]),
  ])
  expect(stopAt(walk, undefined)?.line.name).toBe('Rye')
  expect(stopAt(walk, '3 Rum')?.line.name).toBe('Rum')
  expect(stopAt(walk, '1 Gin')?.line.name).toBe('Rye')
  expect(stopAt([], undefined)).toBeUndefined()
})

test.each([
  ['Copper Still Small Batch Rye', 'Copper Still Small Batch Bourbon', 'Rye'],
  ['Rosé 2024', 'Rosé 2023', '2024'],
  ['Copper Still Rye', 'Copper Still Small Batch Rye', ''],
  ['Gin', 'Gin', ''],
  ['Old Vine Zinfandel, 750 mL', 'Old Vine Zinfandel, 375 mL', '750'],
  ['Gin', 'Old Rum', 'Gin'],
])('of %s, beside %s, differs: %s', (name, other, differing) => {
  const words = wordsApart(name, other)
  expect(words.map(({ text }) => text).join(' ')).toBe(name)
  expect(words.flatMap(({ text, isOther }) => (isOther ? [text] : [])).join(' ')).toBe(differing)
})
