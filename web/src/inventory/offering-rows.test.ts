import type { Offering } from '@cellarhand/contract/inventory'
import { expect, test } from 'vitest'
import { sortLabels, type SortField } from './inventory-search.ts'
import { arrange, rowsOf, standardFilter } from './offering-rows.ts'

function offering(id: string, changes: Partial<Offering> = {}, size = '750 mL'): Offering {
  return {
    id,
    price: 10,
    quantity: 1,
    is_active: true,
    stock_behavior: null,
    product: {
      tpk: `tp-${id}`,
      product_line: { name: `Wine ${id}`, brand: { name: 'Brand' } },
      container_size: { formatted: size },
    },
    merchant: { name: 'Shop' },
    ...changes,
  }
}

function sorted(offerings: Offering[], filterStatus: SortField): string[] {
  return arrange(rowsOf(offerings), { ...standardFilter, filterStatus }).map(({ id }) => id)
}

test('INV-005 INV-006 INV-007 the fields for sorting, each ascending', () => {
  expect(Object.values(sortLabels)).toEqual([
    'Product Name',
    'Container Size',
    'Price',
    'Quantity',
    'Brand',
    'TPK',
    'Retailer item Code',
    'Status',
  ])
  expect(sorted([offering('10'), offering('9')], 'code')).toEqual(['9', '10'])
  expect(sorted([offering('a'), offering('b', { is_active: false })], 'status')).toEqual(['b', 'a'])
  expect(
    sorted(
      [offering('a', { price: 9.5 }), offering('b', { price: 10.25 }), offering('c', { price: 9 })],
      'price',
    ),
  ).toEqual(['c', 'a', 'b'])
  const sizes = ['1.5 L', '750 mL', 'a keg', '6 x 12 oz', '37.5 cl']
  const bySize = sorted(
    sizes.map((size, index) => offering(String(index), {}, size)),
    'size',
  )
  expect(bySize.map((id) => sizes[Number(id)])).toEqual(['37.5 cl', '750 mL', '1.5 L', '6 x 12 oz', 'a keg'])
  const atDistributor = offering('b', { stock_behavior: 'NextDay', quantity: 0 })
  expect(
    sorted([offering('a', { quantity: 3 }), atDistributor, offering('c', { quantity: -1 })], 'quantity'),
  ).toEqual(['c', 'a', 'b'])
})

test('offerings with gaps come last in any sort, and are found by their code', () => {
  const gap = offering('0', { price: 0, product: null })
  for (const field of Object.keys(sortLabels) as SortField[])
    expect(sorted([gap, offering('1')], field)).toEqual(['1', '0'])
})

test('the text is searched in name, brand, TPK and code, without regard to accents, case, apostrophes and the kind of hyphen', () => {
  const rows = rowsOf([
    offering('7', {
      product: {
        tpk: 'tp-xyz',
        product_line: { name: 'Crémant Saint\u2011Roch', brand: { name: 'L’Été' } },
        container_size: { formatted: '750 mL' },
      },
    }),
    offering('8'),
  ])
  const find = (clientFilter: string) =>
    arrange(rows, { ...standardFilter, clientFilter }).map(({ id }) => id)
  expect(find('CREMANT ete')).toEqual(['7'])
  expect(find("saint-roch l'ete")).toEqual(['7'])
  expect(find('lete')).toEqual(['7'])
  expect(find('tp-xyz')).toEqual(['7'])
  expect(find('wine 8')).toEqual(['8'])
  expect(find('nothing like it')).toEqual([])
  expect(find('  ')).toEqual(['7', '8'])
})

test('STATE-013 the filter starts ascending, by product name, with an empty text', () => {
  expect(standardFilter).toEqual({ orderDirection: 1, filterStatus: 'name', clientFilter: '' })
})

test.each<[Partial<Offering>, string]>([
  [{}, ''],
  [{ beverage_class: 'wine', abv: 13.5, volume_ml: 750 }, 'Wine, 13.5%'],
  [{ beverage_class: 'none', abv: 0 }, 'No alcohol, 0%'],
  [{ abv: 40, volume_ml: 700, product: null }, '40%, 700 mL'],
])('what is in the bottle, in words: %o', (changes, words) => {
  expect(rowsOf([offering('a', changes)])[0]?.drink).toBe(words)
})
