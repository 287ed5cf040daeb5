import type { Offering } from '@cellarhand/contract/inventory'
import { expect, test } from 'vitest'
import type { Order } from '../state/queries.ts'
import { choicesFor, matching } from './substitute-choices.ts'

function offering(id: string, changes: Partial<Offering> = {}): Offering {
  return {
    id,
    price: 10,
    quantity: 6,
    is_active: true,
    stock_behavior: null,
    product: {
      tpk: `p-${id}`,
      product_line: { name: id, brand: { name: 'Harbor' } },
      container_size: { formatted: '750 mL' },
    },
    merchant: { name: 'Shop' },
    beverage_class: 'wine',
    ...changes,
  }
}
const item = (changes: object = {}) =>
  ({ id: 'line', price: 10, offering: { id: 'ordered' }, ...changes }) as unknown as Order['items'][number]
const ordered = offering('ordered')
const idsOf = (offerings: Offering[], missing = 2, of = item()) =>
  choicesFor(offerings, { item: of, missing }).map(({ id }) => id)

test('bottles of the ordered class come first, then the nearest price', () => {
  const beer = offering('beer', { beverage_class: 'beer' })
  const near = offering('near', { price: 11 })
  const far = offering('far', { price: 3 })
  expect(idsOf([beer, far, near, ordered])).toEqual(['near', 'far', 'beer'])
  // The line itself knows better than the stock list.
  expect(idsOf([beer, near, ordered], 2, item({ beverage_class: 'beer' }))).toEqual(['beer', 'near'])
})

test('only named, active offerings with enough bottles, and never the ordered one', () => {
  const few = offering('few', { quantity: 1 })
  const off = offering('off', { is_active: false })
  const nameless = offering('nameless', { product: null })
  expect(idsOf([ordered, few, off, nameless, offering('good')])).toEqual(['good'])
  expect(idsOf([few], 1)).toEqual(['few'])
})

test('the difference is to the cent, and a search takes words in any order, without accents', () => {
  const [choice] = choicesFor([offering('Ridge’s Réd', { price: 10.1 })], {
    item: item({ price: 9.9 }),
    missing: 1,
  })
  expect(choice?.difference).toBe(0.2)
  const choices = choice ? [choice] : []
  expect(matching(choices, " red HARBOR 750 ridge's")).toHaveLength(1)
  expect(matching(choices, 'white')).toEqual([])
})
